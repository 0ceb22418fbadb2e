/* Tables. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term.h"

struct cell {
    char *text;
    enum term_style style;
};

struct term_table {
    char *title;
    char **heading;
    enum term_align *align;
    size_t columns;
    size_t keys;       /* columns that every part repeats */
    struct cell *cell; /* rows x columns */
    size_t cells;
};

struct term_table *term_table_new(const char *title)
{
    struct term_table *t = xcalloc(1, sizeof *t);
    t->title = title ? xstrdup(title) : NULL;
    t->keys = 1;
    return t;
}

void term_table_column(struct term_table *t, const char *heading, enum term_align align)
{
    t->heading = xrealloc_array(t->heading, t->columns + 1, sizeof *t->heading);
    t->align = xrealloc_array(t->align, t->columns + 1, sizeof *t->align);
    t->heading[t->columns] = xstrdup(heading);
    t->align[t->columns++] = align;
}

void term_table_columns(struct term_table *t, const struct term_column *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        term_table_column(t, column[i].heading, column[i].align);
}

void term_table_keys(struct term_table *t, size_t columns)
{
    t->keys = columns;
}

/* Takes the text. */
static void add_cell(struct term_table *t, enum term_style style, char *text)
{
    t->cell = list_one_more(t->cell, t->cells, sizeof *t->cell);
    t->cell[t->cells++] = (struct cell){text, style};
}

void term_table_cell(struct term_table *t, enum term_style style, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    /* One row is one line, whatever a student printed. */
    term_make_printable(text);
    for (char *p = text; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    add_cell(t, style, text);
}

void term_table_end_row(struct term_table *t)
{
    while (t->columns && t->cells % t->columns)
        add_cell(t, TERM_PLAIN, xstrdup(""));
}

enum { LEFT_OUT = -1, GAP = 2, NOTE_INDENT = 4 };

/* A column that says nothing in any row is left out, and so is one of notes: they get lines of
 * their own. */
static int *column_widths(const struct term_table *t)
{
    int *w = xcalloc(t->columns, sizeof *w);
    for (size_t c = 0; c < t->columns; c++)
        w[c] = t->cells || t->align[c] == TERM_NOTE ? LEFT_OUT : term_width(t->heading[c]);
    for (size_t i = 0; i < t->cells; i++) {
        const size_t c = i % t->columns;
        const char *text = t->cell[i].text;
        if (t->align[c] == TERM_NOTE || (w[c] == LEFT_OUT && (!*text || strcmp(text, "-") == 0)))
            continue;
        if (w[c] == LEFT_OUT)
            w[c] = term_width(t->heading[c]);
        if (term_width(text) > w[c])
            w[c] = term_width(text);
    }
    return w;
}

/* The columns of a table that are printed side by side: its keys, and those from first to before
 * end. */
struct part {
    const struct term_table *table;
    int *width; /* of all columns of the table */
    size_t first, end;
};

static bool in_part(const struct part *p, size_t column)
{
    const bool named = column < p->table->keys || (column >= p->first && column < p->end);
    return named && p->width[column] != LEFT_OUT;
}

/* row: its cells; NULL: the headings. No line ends in blanks. */
static void print_row(const struct part *p, const struct cell *row, FILE *f)
{
    const struct term_table *t = p->table;
    int blanks = 0; /* due before the next text */
    bool any = false;
    for (size_t c = 0; c < t->columns; c++) {
        if (!in_part(p, c))
            continue;
        const char *text = row ? row[c].text : t->heading[c];
        const enum term_style style = row ? row[c].style : TERM_DIM;
        const int pad = p->width[c] - term_width(text);
        const bool right = t->align[c] == TERM_RIGHT || t->align[c] == TERM_SPARE;
        blanks += (any ? GAP : 0) + (right ? pad : 0);
        any = true;
        if (*text) {
            fprintf(f, "%*s%s%s%s", blanks, "", term_on(f, style), text,
                    style != TERM_PLAIN ? term_off(f) : "");
            blanks = 0;
        }
        blanks += t->align[c] == TERM_LEFT ? pad : 0;
    }
    fputc('\n', f);
}

static void print_notes(const struct term_table *t, const struct cell *row, FILE *f)
{
    for (size_t c = 0; c < t->columns; c++)
        if (t->align[c] == TERM_NOTE && *row[c].text)
            term_print(f, NOTE_INDENT, "%*s%s%s%s\n", NOTE_INDENT, "", term_on(f, row[c].style),
                       row[c].text, row[c].style != TERM_PLAIN ? term_off(f) : "");
}

static void print_part(const struct part *p, FILE *f)
{
    const struct term_table *t = p->table;
    print_row(p, NULL, f);
    for (size_t i = 0; i < t->cells; i += t->columns) {
        print_row(p, &t->cell[i], f);
        if (p->end == t->columns)
            print_notes(t, &t->cell[i], f);
    }
}

/* Let the part end where the terminal does. A part has at least one column besides the keys. */
static void fit(struct part *p, int room)
{
    const struct term_table *t = p->table;
    int used = 0;
    for (size_t c = 0; c < t->keys; c++)
        used += p->width[c] == LEFT_OUT ? 0 : p->width[c] + GAP;
    for (p->end = p->first; p->end < t->columns; p->end++) {
        if (p->width[p->end] == LEFT_OUT)
            continue;
        used += p->width[p->end];
        if (room && used > room && p->end > p->first)
            return;
        used += GAP;
    }
}

static int whole_width(const struct term_table *t, const int *width)
{
    int whole = -GAP;
    for (size_t c = 0; c < t->columns; c++)
        whole += width[c] == LEFT_OUT ? 0 : width[c] + GAP;
    return whole;
}

static void print_aligned(const struct term_table *t, FILE *f)
{
    struct part p = {.table = t, .width = column_widths(t)};
    const int room = term_columns(f);
    for (size_t c = 0; c < t->columns && room && whole_width(t, p.width) > room; c++)
        if (t->align[c] == TERM_SPARE)
            p.width[c] = LEFT_OUT;
    p.first = t->keys < t->columns ? t->keys : t->columns;
    do {
        fit(&p, room);
        print_part(&p, f);
        p.first = p.end;
        if (p.end < t->columns)
            fputc('\n', f);
    } while (p.end < t->columns);
    free(p.width);
}

static void print_tsv(const struct term_table *t, FILE *f)
{
    for (size_t c = 0; c < t->columns; c++)
        fprintf(f, "%s%s", t->heading[c], c + 1 < t->columns ? "\t" : "\n");
    for (size_t i = 0; i < t->cells; i++)
        fprintf(f, "%s%s", t->cell[i].text, (i + 1) % t->columns ? "\t" : "\n");
}

void term_table_discard(struct term_table *t)
{
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i].text);
    for (size_t c = 0; c < t->columns; c++)
        free(t->heading[c]);
    free(t->cell);
    free(t->heading);
    free(t->align);
    free(t->title);
    free(t);
}

static bool tsv;

void term_set_tsv(void)
{
    tsv = true;
}

void term_table_print(struct term_table *t, FILE *f)
{
    if (t->title)
        fprintf(f, "%s%s%s\n", term_on(f, TERM_BOLD), t->title, term_off(f));
    if (!t->columns)
        ; /* nothing but a title */
    else if (tsv)
        print_tsv(t, f);
    else
        print_aligned(t, f);
    term_table_discard(t);
}
