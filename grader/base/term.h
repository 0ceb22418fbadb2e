/*
 * term.h - what people see: colour, widths, progress. Results go to stdout, chatter to stderr.
 */
#ifndef BASE_TERM_H
#define BASE_TERM_H

#include <stdbool.h>
#include <stdio.h>

enum term_style { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_RED, TERM_GREEN, TERM_YELLOW, TERM_CYAN };

/* Decide once: --color=always|never|auto, NO_COLOR, and whether f is a terminal. */
enum term_color_mode { TERM_COLOR_AUTO, TERM_COLOR_ALWAYS, TERM_COLOR_NEVER };
void term_set_color(enum term_color_mode mode);
bool term_color(FILE *f);
/* Escape sequence that starts a style ("" when colour is off for f) and the one that ends it. */
const char *term_on(FILE *f, enum term_style style);
const char *term_off(FILE *f);
/* Columns that a UTF-8 string takes. */
int term_width(const char *s);

/* Replace, in place, what a terminal would take for a command: control characters other than line
 * feed and tab, those of Latin-1 (in UTF-8) included. */
void term_make_printable(char *text);

/* A table: cells are added row by row, columns are aligned when printed to a
 * terminal (or in colour); elsewhere cells are separated by one tab and nothing is padded, so that
 * cut(1) can read it. */
enum term_align { TERM_LEFT, TERM_RIGHT };
struct term_table;
struct term_table *term_table_new(const char *title);
void term_table_column(struct term_table *t, const char *heading, enum term_align align);
void term_table_cell(struct term_table *t, enum term_style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fill the rest of the row with empty cells. */
void term_table_end_row(struct term_table *t);
void term_table_print(struct term_table *t, FILE *f); /* and frees it */
void term_table_discard(struct term_table *t);

/* Progress on stderr: a bar with counts and time left on a terminal, one plain line
 * otherwise (at most one every few seconds); nothing but notes when quiet. */
struct progress {
    size_t total;
    size_t done;
    bool quiet;
    unsigned long long started_ns;
    unsigned long long shown_ns;
    bool bar;
};
void progress_start(struct progress *p, size_t total, bool quiet);
void progress_update(struct progress *p, size_t done, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A line that stays, printed above the bar. */
void progress_note(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void progress_end(struct progress *p);

#endif
