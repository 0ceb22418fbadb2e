/* Where the class is, without names and without anybody's numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages/student_sections.h"
#include "report/text.h"

static void show_bands(const struct source *s, unsigned submission, const struct standing *class,
                       struct html_page *page)
{
    static const struct html_column columns[] = {
        {"share of the points", false}, {"submissions", true}, {"you", false}};
    const struct submission_score *x = &s->board->submission[submission];
    html_table(page, "Points of the class", columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < STANDING_BANDS; i++) {
        char text[TEXT_MOST];
        snprintf(text, sizeof text, "%u to %u %%", i * 100 / STANDING_BANDS,
                 (i + 1) * 100 / STANDING_BANDS);
        html_row(page, text);
        snprintf(text, sizeof text, "%u", class->band[i]);
        html_number(page, text);
        html_cell(page, "%s", standing_band(x->points, x->max_points) == i ? "here" : "");
        html_row_end(page);
    }
    html_table_end(page);
}

static void show_class_tiers(const struct source *s, unsigned submission,
                             const struct standing *class, struct html_page *page)
{
    static const struct html_column columns[] = {
        {"tier", false}, {"passed", true}, {"speed-up of the middle half", true}, {"yours", true}};
    char size[SHAPE_TEXT];
    shape_format(class->size, size);
    char *caption = xasprintf("Tiers of the class, size %s, rounded to one digit", size);
    html_table(page, caption, columns, sizeof columns / sizeof columns[0]);
    free(caption);
    for (unsigned i = 0; i < class->tiers; i++) {
        const struct standing_tier *t = &class->tier[i];
        const int unit = plan_unit_of(s->run->plan, (int)submission, (int)t->tier);
        const struct speed *x =
            find_passed(s, unit) ? score_fastest(s->board, unit, class->size) : NULL;
        char text[2 * TEXT_MOST] = "too few";
        html_row(page, s->run->assignment->tiers[t->tier].title);
        if (t->handed_in >= STANDING_LEAST)
            snprintf(text, sizeof text, "%.0f %%", 10 * round(10.0 * t->passed / t->handed_in));
        html_number(page, text);
        if (isfinite(t->low))
            snprintf(text, sizeof text, "%g to %g", t->low, t->high);
        else
            snprintf(text, sizeof text, "too few");
        html_number(page, text);
        text_interval(x ? x->speedup : stats_unknown(), text);
        html_number(page, text);
        html_row_end(page);
    }
    html_table_end(page);
}

void student_class(const struct source *s, unsigned submission, const struct standing *class,
                   struct html_page *page)
{
    if (subset_is_part(&s->run->plan->only))
        return;
    html_section(page, "class", "Where the class is");
    if (standing_is_anonymous(class)) {
        html_paragraph(page, "Nobody is named, and no exact number of anybody else is here.");
        show_bands(s, submission, class, page);
        show_class_tiers(s, submission, class, page);
    } else {
        html_paragraph(page,
                       "This is shown for classes of at least %d submissions, so that nobody "
                       "can be recognised.",
                       STANDING_LEAST);
    }
    html_section_end(page);
}
