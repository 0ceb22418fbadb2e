/*
 * canvas.h - what charts are drawn on: characters of a terminal, or SVG. Both have the same
 * coordinates, columns and rows of characters from the top left corner, so that one code draws for
 * both. Fractions are allowed.
 */
#ifndef REPORT_CANVAS_H
#define REPORT_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

enum canvas_align { CANVAS_LEFT, CANVAS_CENTRE, CANVAS_RIGHT };

/* Colours: a series from 0 on, or one of these. */
enum { CANVAS_INK = -1, CANVAS_DIM = -2, CANVAS_GRID = -3 };

struct canvas {
    int columns, rows;
    void (*line)(struct canvas *c, const double from[2], const double to[2], int colour,
                 bool dashed);
    /* The series has the mark of its number, too. ring: it is hollow. */
    void (*mark)(struct canvas *c, const double at[2], int series, bool ring);
    /* In one row, from one column to another. */
    void (*bar)(struct canvas *c, double from, double to, int row, int colour);
    void (*text)(struct canvas *c, const double at[2], enum canvas_align align, int colour,
                 const char *text);
    void *with;
};

/* With block characters, or ASCII alone. */
struct canvas *canvas_text_new(int columns, int rows, bool unicode);
/* Print it to a terminal or a file, and free it. */
void canvas_text_print(struct canvas *c, FILE *f);

struct canvas *canvas_svg_new(int columns, int rows);
/* Append it as <g>, `row` rows below the top, and free it. */
void canvas_svg_add(struct canvas *c, int row, struct strbuf *svg);
/* What is before and after all canvases of a file. */
void canvas_svg_begin(int columns, int rows, struct strbuf *svg);
void canvas_svg_end(struct strbuf *svg);

#endif
