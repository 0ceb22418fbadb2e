/*
 * term_table.h - what a table consists of, for the code that writes it: as text
 * (term_table_print.c), or as HTML (pages/html_table.c). base/term.h has what makes tables.
 */
#ifndef BASE_TERM_TABLE_H
#define BASE_TERM_TABLE_H

#include <stddef.h>

#include "base/term.h"

struct term_cell {
    char *text;
    char *brief; /* in its place on a narrow terminal; NULL: none */
    char *link;  /* NULL: none */
    enum term_style style;
    bool marked;  /* term_table_mark() */
    double value; /* NAN: it has none */
};

struct term_table {
    char *title;
    char **heading;
    enum term_align *align;
    size_t columns;
    size_t keys;            /* columns that every part repeats */
    int indent;             /* of every line */
    struct term_cell *cell; /* rows x columns */
    size_t cells;
};

/* Does a row say something in this column, which is neither "" nor "-"? Yes if there are no rows.
 */
bool term_table_says(const struct term_table *t, size_t column);

#endif
