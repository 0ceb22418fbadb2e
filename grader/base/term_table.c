#include "base/term_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

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
    t->cell[t->cells++] = (struct term_cell){.text = text, .style = style, .value = (double)NAN};
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

static struct term_cell *last_cell(struct term_table *t)
{
    return &t->cell[t->cells - 1];
}

void term_table_value(struct term_table *t, double value)
{
    last_cell(t)->value = value;
}

void term_table_brief(struct term_table *t, const char *text)
{
    free(last_cell(t)->brief);
    last_cell(t)->brief = xstrdup(text);
}

void term_table_link(struct term_table *t, const char *href)
{
    free(last_cell(t)->link);
    last_cell(t)->link = xstrdup(href);
}

void term_table_mark(struct term_table *t)
{
    last_cell(t)->marked = true;
}

void term_table_indent(struct term_table *t, int columns)
{
    t->indent = columns;
}

bool term_table_is_empty(const struct term_table *t)
{
    return t->cells == 0;
}

bool term_table_says(const struct term_table *t, size_t column)
{
    for (size_t i = column; i < t->cells; i += t->columns)
        if (*t->cell[i].text && strcmp(t->cell[i].text, "-") != 0)
            return true;
    return t->cells == 0;
}

void term_table_discard(struct term_table *t)
{
    for (size_t i = 0; i < t->cells; i++) {
        free(t->cell[i].text);
        free(t->cell[i].brief);
        free(t->cell[i].link);
    }
    for (size_t c = 0; c < t->columns; c++)
        free(t->heading[c]);
    free(t->cell);
    free(t->heading);
    free(t->align);
    free(t->title);
    free(t);
}
