/* Where the class is, without names and without anybody's numbers. */
#include <math.h>

#include "pages/student_sections.h"
#include "report/cells.h"

static void add_tier(const struct source *s, unsigned submission, const struct standing *class,
                     const struct standing_tier *of, struct term_table *t)
{
    const int unit = plan_unit_of(s->run->plan, (int)submission, (int)of->tier);
    const struct speed *x =
        find_passed(s, unit) ? score_fastest(s->board, unit, class->size) : NULL;
    cell_text(t, s->run->assignment->tiers[of->tier].title);
    if (of->handed_in >= STANDING_LEAST)
        term_table_cell(t, TERM_PLAIN, "%.0f%%", 10 * round(10.0 * of->passed / of->handed_in));
    else
        cell_text(t, "too few");
    if (isfinite(of->low))
        term_table_cell(t, TERM_PLAIN, "%g to %g", of->low, of->high);
    else
        cell_text(t, "too few");
    cell_interval(t, TERM_PLAIN, x ? x->speedup : stats_unknown());
}

static void show_class_tiers(const struct source *s, unsigned submission,
                             const struct standing *class, struct html_page *page)
{
    static const struct term_column columns[] = {{"tier", TERM_LEFT},
                                                 {"passed", TERM_RIGHT},
                                                 {"speed-up of the middle half", TERM_RIGHT},
                                                 {"yours", TERM_RIGHT}};
    char size[SHAPE_TEXT];
    shape_format(class->size, size);
    OWNED char *title = xasprintf("Tiers of the class, size %s, rounded to one digit", size);
    struct term_table *t = term_table_new(title);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < class->tiers; i++)
        add_tier(s, submission, class, &class->tier[i], t);
    html_table(page, NULL, t);
}

void student_class(const struct source *s, unsigned submission, const struct standing *class,
                   struct html_page *page)
{
    const struct submission_score *x = &s->board->submission[submission];
    if (subset_is_part(&s->run->plan->only))
        return;
    html_section(page, "class", "Where the class is");
    if (standing_is_anonymous(class)) {
        html_paragraph(page, "Nobody is named, and no exact number of anybody else is here.");
        html_table(page, NULL, standing_bands(class, standing_band(x->points, x->max_points)));
        show_class_tiers(s, submission, class, page);
    } else {
        html_paragraph(page,
                       "This is shown for classes of at least %d submissions, so that nobody "
                       "can be recognised.",
                       STANDING_LEAST);
    }
    html_section_end(page);
}
