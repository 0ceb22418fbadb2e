/* Tables as text: aligned for people, in lines, or with tabs for programs. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term_table.h"

enum { LEFT_OUT = -1, GAP = 2, NOTE_INDENT = 4, CUT_LEAST = 16 };

static const char *text_of(const struct term_cell *cell, bool brief)
{
    return brief && cell->brief ? cell->brief : cell->text;
}

/* A column that says nothing in any row is left out, and so is one of notes: they get lines of
 * their own. */
static int *column_widths(const struct term_table *t, bool brief)
{
    int *w = xcalloc(t->columns, sizeof *w);
    for (size_t c = 0; c < t->columns; c++) {
        w[c] = LEFT_OUT;
        if (t->align[c] == TERM_NOTE || !term_table_says(t, c))
            continue;
        w[c] = term_width(t->heading[c]);
        for (size_t i = c; i < t->cells; i += t->columns)
            if (term_width(text_of(&t->cell[i], brief)) > w[c])
                w[c] = term_width(text_of(&t->cell[i], brief));
    }
    return w;
}

/* The columns of a table that are printed side by side: its keys, and those from first to before
 * end. */
struct part {
    const struct term_table *table;
    int *width; /* of all columns of the table */
    bool brief; /* the shorter texts of cells */
    size_t first, end;
};

static bool in_part(const struct part *p, size_t column)
{
    const bool named = column < p->table->keys || (column >= p->first && column < p->end);
    return named && p->width[column] != LEFT_OUT;
}

char *term_cut(const char *text, int width)
{
    static const char dots[] = "...";
    char *short_text = xasprintf("%s", text);
    size_t length = strlen(text);
    if (term_width(text) <= width)
        return short_text;
    while (length && term_width(short_text) > width - (int)strlen(dots)) {
        do
            length--;
        while (length && (text[length] & 0xc0) == 0x80); /* the rest of a character in UTF-8 */
        short_text[length] = '\0';
    }
    char *all = xasprintf("%s%s", short_text, dots);
    free(short_text);
    return all;
}

/* row: its cells; NULL: the headings. No line ends in blanks. */
static void print_row(const struct part *p, const struct term_cell *row, FILE *f)
{
    const struct term_table *t = p->table;
    int blanks = t->indent; /* due before the next text */
    bool any = false;
    for (size_t c = 0; c < t->columns; c++) {
        if (!in_part(p, c))
            continue;
        OWNED char *text = term_cut(row ? text_of(&row[c], p->brief) : t->heading[c], p->width[c]);
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
        blanks += right ? 0 : pad;
    }
    fputc('\n', f);
}

static void print_notes(const struct term_table *t, const struct term_cell *row, FILE *f)
{
    const int indent = t->indent + NOTE_INDENT;
    for (size_t c = 0; c < t->columns; c++)
        if (t->align[c] == TERM_NOTE && *row[c].text)
            term_print(f, indent, "%*s%s%s%s\n", indent, "", term_on(f, row[c].style), row[c].text,
                       row[c].style != TERM_PLAIN ? term_off(f) : "");
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
    int used = t->indent;
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
    int whole = t->indent - GAP;
    for (size_t c = 0; c < t->columns; c++)
        whole += width[c] == LEFT_OUT ? 0 : width[c] + GAP;
    return whole;
}

static void cut_column(const struct term_table *t, int *width, int room)
{
    const int over = whole_width(t, width) - room;
    for (size_t c = 0; c < t->columns && room && over > 0; c++)
        if (t->align[c] == TERM_CUT && width[c] - over >= CUT_LEAST) {
            width[c] -= over;
            return;
        }
}

static void print_aligned(const struct term_table *t, FILE *f)
{
    struct part p = {.table = t, .width = column_widths(t, false)};
    const int room = term_columns(f);
    if (room && whole_width(t, p.width) > room) {
        free(p.width);
        p.brief = true;
        p.width = column_widths(t, true);
    }
    for (size_t c = 0; c < t->columns && room && whole_width(t, p.width) > room; c++)
        if (t->align[c] == TERM_SPARE)
            p.width[c] = LEFT_OUT;
    cut_column(t, p.width, room);
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

static bool tsv;

void term_set_tsv(void)
{
    tsv = true;
}

bool term_is_tsv(void)
{
    return tsv;
}

static void print_title(const struct term_table *t, FILE *f)
{
    if (t->title)
        fprintf(f, "%s%*s%s%s\n", term_on(f, TERM_BOLD), t->indent, "", t->title, term_off(f));
}

void term_table_print(struct term_table *t, FILE *f)
{
    print_title(t, f);
    if (!t->columns)
        ; /* nothing but a title */
    else if (tsv)
        print_tsv(t, f);
    else
        print_aligned(t, f);
    term_table_discard(t);
}

void term_table_show(struct term_table *t, FILE *f)
{
    if (t->cells)
        term_table_print(t, f);
    else
        term_table_discard(t);
}

/* The widest cell of each column: the next one stands below those of other rows. A note has no
 * width. */
static int *cell_widths(const struct term_table *t)
{
    int *w = xcalloc(t->columns, sizeof *w);
    for (size_t i = 0; i < t->cells; i++) {
        const size_t c = i % t->columns;
        if (t->align[c] != TERM_NOTE && term_width(t->cell[i].text) > w[c])
            w[c] = term_width(t->cell[i].text);
    }
    return w;
}

/* The cells and the first note in one line, each other note in one of its own. */
static void print_line(const struct term_table *t, const int *width, const struct term_cell *row,
                       FILE *f)
{
    FREED_BY(strbuf_free) struct strbuf line = STRBUF_INIT;
    size_t c = 0;
    for (bool note = false; c < t->columns && !note; c++) {
        note = t->align[c] == TERM_NOTE;
        const int blanks = note ? 0 : width[c] - term_width(row[c].text),
                  right = t->align[c] == TERM_RIGHT;
        strbuf_addf(&line, "%s%*s%s%s%s%*s", c ? "  " : "", right ? blanks : 0, "",
                    term_on(f, row[c].style), row[c].text,
                    row[c].style != TERM_PLAIN ? term_off(f) : "", right ? 0 : blanks, "");
    }
    term_print(f, NOTE_INDENT, "%s\n", line.s);
    for (; c < t->columns; c++)
        if (*row[c].text)
            term_print(f, 2 * NOTE_INDENT, "%*s%s: %s\n", NOTE_INDENT, "", t->heading[c],
                       row[c].text);
}

void term_table_lines(struct term_table *t, FILE *f)
{
    if (tsv || !t->cells) {
        term_table_show(t, f);
        return;
    }
    OWNED int *width = cell_widths(t);
    print_title(t, f);
    for (size_t i = 0; i < t->cells; i += t->columns)
        print_line(t, width, &t->cell[i], f);
    term_table_discard(t);
}
