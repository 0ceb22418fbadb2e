/*
 * term.h - text for people: colour, tables, progress. Results go to stdout, messages to stderr.
 */
#ifndef BASE_TERM_H
#define BASE_TERM_H

#include <stdbool.h>
#include <stdio.h>

enum term_style { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_RED, TERM_GREEN, TERM_YELLOW, TERM_CYAN };

/* What --color says. AUTO: colour when f is a terminal, NO_COLOR is not set and TERM is not dumb.
 */
enum term_color_mode { TERM_COLOR_AUTO, TERM_COLOR_ALWAYS, TERM_COLOR_NEVER };
void term_set_color(enum term_color_mode mode);
bool term_color(FILE *f);
/* The escape sequence that starts a style, and the one that ends it; "" when f has no colour. */
const char *term_on(FILE *f, enum term_style style);
const char *term_off(FILE *f);
/* Print to f as to a terminal of so many columns, but never in colour: for reports in files that
 * people read. This holds for one file at a time. NULL, before f is closed: for none. */
void term_layout(FILE *f, int columns);
/* Width of a UTF-8 string in columns. */
int term_width(const char *s);
/* The text; if it is wider, its beginning with dots at the end. The caller frees it. */
char *term_cut(const char *text, int width);
/* Columns (also those of term_layout()) and lines of the terminal; 0: f is not one. */
int term_columns(FILE *f);
int term_lines(FILE *f);
/* Does the user's locale (LC_ALL, LC_CTYPE or LANG) say that terminals show UTF-8? */
bool term_utf8(void);
/* Is f a terminal, or does term_layout() or --color say that people read it? */
bool term_for_people(FILE *f);

/* Print whole lines as fprintf does. On a terminal, a line that is too long is broken at blanks,
 * and goes on after `indent` blanks. Elsewhere it stays one line, as programs read it. */
void term_print(FILE *f, int indent, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same for a command of the shell: it can be copied although it is broken. */
void term_print_command(FILE *f, int indent, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Replace control characters, in place, because a terminal obeys them. Line feed and tab stay. The
 * control characters of Latin-1 (in UTF-8) are replaced, too, and those that turn the direction of
 * writing. */
void term_make_printable(char *text);

/* A table: cells are added row by row. Columns are aligned, and one in which every cell is empty or
 * "-" is left out. A table that is wider than the terminal is printed in parts. TERM_SPARE: on the
 * right, and left out if the terminal is too narrow for all columns. TERM_NOTE: sentences, which
 * stand below their row. TERM_NAME: on the left; the heading of the row in pages, in place of the
 * first column. TERM_CUT: on the left, and its text is cut if the table then fits the terminal. */
enum term_align { TERM_LEFT, TERM_RIGHT, TERM_SPARE, TERM_NOTE, TERM_NAME, TERM_CUT };
struct term_table;
struct term_table *term_table_new(const char *title);
void term_table_column(struct term_table *t, const char *heading, enum term_align align);
struct term_column {
    const char *heading;
    enum term_align align;
};
void term_table_columns(struct term_table *t, const struct term_column *column, size_t n);
void term_table_cell(struct term_table *t, enum term_style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* How many of the first columns every part begins with: those that say what a row is about. Without
 * this, 1. */
void term_table_keys(struct term_table *t, size_t columns);
/* Of the cell that was added last: the number that it shows, a shorter text for a table that is too
 * wide for its terminal, where it leads to in pages, and whether pages put a mark before it, which
 * tells its style without colour. */
void term_table_value(struct term_table *t, double value);
void term_table_brief(struct term_table *t, const char *text);
void term_table_link(struct term_table *t, const char *href);
void term_table_mark(struct term_table *t);
/* Blanks before each line of text. */
void term_table_indent(struct term_table *t, int columns);
bool term_table_is_empty(const struct term_table *t);
/* Fill the rest of the row with empty cells. */
void term_table_end_row(struct term_table *t);
void term_table_print(struct term_table *t, FILE *f); /* and frees it */
/* The same, but a table without rows is only freed. */
void term_table_show(struct term_table *t, FILE *f);
/* The same, without headings: a row is a line, with its first note. */
void term_table_lines(struct term_table *t, FILE *f);
void term_table_discard(struct term_table *t);
/* From now on, print tables for programs: one tab between cells, all columns, nothing padded. */
void term_set_tsv(void);
bool term_is_tsv(void);

/* Progress on stderr. On a terminal: a bar with counts and the time left, and a picture above it if
 * there is one and the terminal has room for it. Elsewhere: a plain line, at most one every few
 * seconds, and less often while nothing changes. When quiet: notes only. */
struct strbuf;
/* For steps that are over at once nearly always: who waits longer is told. */
#define TERM_HOLD_NS 400000000ULL
struct progress {
    size_t total; /* 0: not known; there is no bar, only text */
    size_t done;
    size_t before; /* steps that were over when it started: they are shown as done, too */
    double left_s; /* until the end, where the caller knows it; 0: from the steps so far */
    bool quiet;
    unsigned long long started_ns;
    size_t first_done; /* `done` when the first step ended, and the time */
    unsigned long long first_ns;
    unsigned long long shown_ns;
    unsigned long long hold_ns; /* show nothing before so much time has passed */
    bool bar;
    /* Add whole lines, at most `lines`, none of them wider than `columns`. NULL: no picture. */
    void (*draw)(void *with, int columns, int lines, struct strbuf *out);
    void *with;
    char *shown;     /* what is on the terminal, or in the last line; owned, NULL: nothing */
    int shown_lines; /* of the picture */
};
void progress_start(struct progress *p, size_t total, bool quiet);
void progress_update(struct progress *p, size_t done, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A line that stays, printed above all. */
void progress_note(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Remove the bar and the picture. */
void progress_end(struct progress *p);

#endif
