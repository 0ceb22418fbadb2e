/*
 * roofline_picture.h - what the picture of the rooflines shows, between the file that collects it
 * (roofline_picture.c) and the file that draws it (roofline_svg.c).
 */
#ifndef REPORT_ROOFLINE_PICTURE_H
#define REPORT_ROOFLINE_PICTURE_H

#include "base/strbuf.h"
#include "report/roofline.h"

enum { ROOFS_MOST = 64 };

/* One speed. */
struct point {
    const struct speed *speed;
    int tier;
    double x, y; /* operations per byte, 10^9 operations/s */
    double operations;
};

/* A slope, where memory bounds, and a level, where arithmetic bounds. */
struct roof {
    double bandwidth, peak; /* bandwidth: 0 if only the level is drawn */
    char *label;
    const char *style; /* of gnuplot */
};

/* Pixels: of the whole picture and around the axes. */
struct roofline_frame {
    int width, height, left, right, top, bottom;
    bool legend; /* right of the axes, and a title */
};

struct picture {
    const struct roofline_frame *frame;
    const struct run *run;
    const struct results *results;
    const struct scoreboard *board;
    int submission; /* -1: all */
    struct point *point;
    size_t points;
    struct roof roof[ROOFS_MOST];
    size_t roofs;
    double left, right, low, high; /* of the axes */
};

/* Append the script for gnuplot. There is at least one point. */
void roofline_script(const struct picture *p, struct strbuf *script);

/* Draw it as SVG, with gnuplot. There is at least one point. 0, or -1 with the reason. */
int roofline_svg(const struct picture *p, const char *path, struct err *e);

#endif
