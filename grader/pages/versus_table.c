#include "pages/versus_table.h"

#include <math.h>
#include <stdlib.h>

#include "report/text.h"
#include "report/versus.h"

/* "Naive", "BLAS of the reference"; the caller frees it. */
static char *other_title(const struct assignment *a, const struct versus *v)
{
    return xasprintf("%s%s", a->tiers[v->other].title, v->reference ? " of the reference" : "");
}

static void show_row(const struct source *s, const struct versus_row *x, bool named, bool copies,
                     struct html_page *page)
{
    const struct assignment *a = s->run->assignment;
    const struct tier *tier = &a->tiers[x->pair->tier], *other = &a->tiers[x->pair->other];
    char text[TEXT_MOST], size[SHAPE_TEXT], *title = other_title(a, x->pair);
    html_row(page, named ? text_submission(s->run, (unsigned)x->unit) : tier->title);
    if (named)
        html_cell(page, "%s", tier->title);
    html_cell(page, "%s", title);
    shape_format(x->shape, size);
    html_cell(page, "%s", size);
    text_interval(x->ratio, text);
    html_number(page, text);
    if (copies) {
        text_number(x->end_to_end, text);
        html_number(page, text);
    }
    text_launch(tier, x->mine->launch, text);
    html_cell(page, "%s", text);
    text_launch(other, x->other->launch, text);
    html_cell(page, "%s", text);
    html_row_end(page);
    free(title);
}

static void show_table(const struct source *s, int submission, const struct versus_row *rows,
                       size_t count, struct html_page *page)
{
    bool copies = false;
    for (size_t i = 0; i < count; i++)
        copies = copies || isfinite(rows[i].end_to_end);
    struct html_column column[8];
    size_t n = 0;
    if (submission < 0)
        column[n++] = (struct html_column){"submission", false};
    column[n++] = (struct html_column){"tier", false};
    column[n++] = (struct html_column){"compared with", false};
    column[n++] = (struct html_column){"size", false};
    column[n++] = (struct html_column){"ratio", true};
    if (copies)
        column[n++] = (struct html_column){"ratio with copies", true};
    column[n++] = (struct html_column){"launch", false};
    column[n++] = (struct html_column){"launch of the other", false};
    html_table(page, "How many times as fast as another tier, with the 95 % interval", column, n);
    for (size_t i = 0; i < count; i++)
        show_row(s, &rows[i], submission < 0, copies, page);
    html_table_end(page);
}

void versus_table(const struct source *s, int submission, struct html_page *page)
{
    struct versus_row *rows;
    if (!s->run->assignment->versus_count)
        return;
    const size_t count = versus_rows(s->run, s->results, submission, &rows);
    html_section(page, "compared", "Tiers compared");
    if (count)
        show_table(s, submission, rows, count, page);
    else
        html_paragraph(page, "Nothing can be compared yet: both tiers have to pass and to be "
                             "timed at the same size.");
    html_section_end(page);
    free(rows);
}
