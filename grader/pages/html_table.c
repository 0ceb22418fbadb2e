/* A table of the reports (base/term_table.h) as HTML. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term_table.h"
#include "pages/html.h"

/* Style and mark of a cell that has a mark. */
static const struct look {
    const char *style, *mark;
} looks[] = {
    [TERM_PLAIN] = {"dim", "\u2013"},  [TERM_BOLD] = {"dim", "\u2013"},
    [TERM_DIM] = {"dim", "\u2013"},    [TERM_RED] = {"bad", "\u2717"}, /* ballot x */
    [TERM_GREEN] = {"good", "\u2713"},                                 /* check mark */
    [TERM_YELLOW] = {"warn", "!"},     [TERM_CYAN] = {"dim", "\u2013"},
};

/* The column that says what its row is about. */
static size_t heading_column(const struct term_table *t)
{
    for (size_t c = 0; c < t->columns; c++)
        if (t->align[c] == TERM_NAME)
            return c;
    return 0;
}

/* What a row is about stands on the left, also where it is a number. */
static bool is_number(const struct term_table *t, size_t column)
{
    return column != heading_column(t) &&
           (t->align[column] == TERM_RIGHT || t->align[column] == TERM_SPARE);
}

static void add_head(const struct term_table *t, const char *caption, const bool *says,
                     struct strbuf *sb)
{
    strbuf_adds(sb, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_add(sb, caption);
    strbuf_adds(sb, "\">\n<table>\n<caption><span>");
    html_add(sb, caption);
    strbuf_adds(sb, "</span></caption>\n<thead><tr>");
    for (size_t c = 0; c < t->columns; c++) {
        if (!says[c])
            continue;
        strbuf_addf(sb, "<th scope=\"col\"%s>", is_number(t, c) ? " class=\"number\"" : "");
        html_add(sb, t->heading[c]);
        strbuf_adds(sb, "</th>");
    }
    strbuf_adds(sb, "</tr></thead>\n<tbody>\n");
}

/* unit: where the tier begins in "alice.simd", where a line may end; "": elsewhere. */
static void add_text(const struct term_cell *cell, const char *unit, struct strbuf *sb)
{
    if (cell->marked)
        strbuf_addf(sb, "<span aria-hidden=\"true\">%s</span> ", looks[cell->style].mark);
    if (cell->link) {
        strbuf_adds(sb, "<a href=\"");
        html_add(sb, cell->link);
        strbuf_adds(sb, "\">");
    }
    if (*unit) {
        OWNED char *student = xasprintf("%.*s", (int)(unit - cell->text), cell->text);
        html_add(sb, student);
        strbuf_adds(sb, "<wbr>");
    }
    html_add(sb, *unit ? unit : cell->text);
    if (cell->link)
        strbuf_adds(sb, "</a>");
}

static void add_cell(const struct term_table *t, size_t c, const struct term_cell *cell,
                     bool sortable, struct strbuf *sb)
{
    const bool heading = c == heading_column(t);
    const char *style = t->align[c] == TERM_NAME || t->align[c] == TERM_NOTE ? "text"
                        : cell->marked    ? looks[cell->style].style
                        : is_number(t, c) ? "number"
                                          : "";
    strbuf_addf(sb, "<%s%s", heading ? "th scope=\"row\"" : "td", *style ? " class=\"" : "");
    strbuf_addf(sb, "%s%s", style, *style ? "\"" : "");
    if (sortable && isfinite(cell->value))
        strbuf_addf(sb, " data-v=\"%.6g\"", cell->value);
    strbuf_adds(sb, ">");
    const bool is_unit = heading && strcmp(t->heading[c], "unit") == 0;
    const char *tier = is_unit ? strrchr(cell->text, '.') : NULL;
    add_text(cell, tier && tier > cell->text ? tier : "", sb);
    strbuf_adds(sb, heading ? "</th>" : "</td>");
}

void html_table(struct html_page *p, const char *caption, struct term_table *t)
{
    struct strbuf *sb = &p->body;
    OWNED bool *says = xcalloc(t->columns, sizeof *says);
    for (size_t c = 0; c < t->columns; c++)
        says[c] = term_table_says(t, c);
    add_head(t, caption ? caption : t->title, says, sb);
    for (size_t i = 0; i < t->cells; i += t->columns) {
        strbuf_adds(sb, "<tr>");
        for (size_t c = 0; c < t->columns; c++)
            if (says[c])
                add_cell(t, c, &t->cell[i + c], p->sortable, sb);
        strbuf_adds(sb, "</tr>\n");
    }
    strbuf_adds(sb, "</tbody>\n</table>\n</div>\n");
    term_table_discard(t);
}

void html_table_or(struct html_page *p, const char *caption, struct term_table *t, const char *none)
{
    if (!term_table_is_empty(t)) {
        html_table(p, caption, t);
        return;
    }
    if (none)
        html_paragraph(p, "%s", none);
    term_table_discard(t);
}
