/*
 * picture.h - the pictures of all pages: scripts for gnuplot are collected, a few processes draw
 * them, and each goes into its page as SVG that follows the page's colours.
 */
#ifndef PAGES_PICTURE_H
#define PAGES_PICTURE_H

#include <stdbool.h>

#include "base/err.h"
#include "pages/html.h"

/* What one process draws. */
struct pictures_part {
    struct strbuf script, drawn;
    unsigned count;
    const char **svg; /* into `drawn`; NULL: not drawn */
    struct err why;   /* there is nothing drawn */
};

struct pictures {
    struct strbuf script; /* every picture starts with "reset" and "set terminal svg" */
    unsigned count;
    struct pictures_part *part;
    bool drawn;
};

#define PICTURES_INIT                                                                              \
    {                                                                                              \
        STRBUF_INIT, 0, NULL, false                                                                \
    }

/* The number of the picture whose script was appended; -1: there is none. */
int pictures_added(struct pictures *p, bool any);
/* Draw all. 0, or -1 with the reason: then pages have no pictures. */
int pictures_draw(struct pictures *p, struct err *e);
void pictures_free(struct pictures *p);

struct picture_text {
    const char *id;      /* a word, unique on the page */
    const char *title;   /* what it shows */
    const char *caption; /* how to read it */
};

/* Put a picture into a page. Nothing, if the number is -1 or the picture was not drawn. */
void picture_show(struct html_page *page, const struct pictures *p, int number,
                  const struct picture_text *text);

#endif
