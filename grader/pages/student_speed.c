/* How fast a student's tiers are: the ladder, the scaling and the roofline, each as a picture and
 * as a table. */
#include <math.h>
#include <stdlib.h>

#include "pages/scripts.h"
#include "pages/student_sections.h"
#include "report/cells.h"
#include "report/roofline.h"
#include "report/weak_rows.h"

static struct term_table *ladder(const struct source *s, unsigned submission, struct shape size)
{
    static const struct term_column columns[] = {{"tier", TERM_LEFT},
                                                 {"launch", TERM_LEFT},
                                                 {"speed-up", TERM_RIGHT},
                                                 {"over the tier before", TERM_RIGHT},
                                                 {"of reference", TERM_RIGHT}};
    const struct assignment *a = s->run->assignment;
    char size_text[SHAPE_TEXT];
    shape_format(size, size_text);
    char *title = xasprintf("Speed-up over the reference's %s at size %s, fastest launch",
                            a->baseline, size_text);
    struct term_table *table = term_table_new(title);
    free(title);
    term_table_columns(table, columns, sizeof columns / sizeof columns[0]);
    double before = NAN;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const int unit = plan_unit_of(s->run->plan, (int)submission, (int)t);
        const struct speed *x = find_passed(s, unit) ? score_fastest(s->board, unit, size) : NULL;
        if (!x)
            continue;
        cell_text(table, a->tiers[t].title);
        cell_launch(table, &a->tiers[t], x->launch);
        cell_interval(table, TERM_PLAIN, x->speedup);
        cell_measured(table, x->speedup.value / before, x->speedup);
        cell_share(table, x->fraction.value, x->fraction);
        before = x->speedup.value;
    }
    return table;
}

void student_ladder(const struct source *s, unsigned submission, int picture,
                    struct html_page *page)
{
    struct shape size;
    html_section(page, "ladder", "Speed-up ladder");
    if (find_ladder_size(s, (int)submission, &size)) {
        picture_show(page, s->pictures, picture,
                     &(struct picture_text){
                         "ladder-picture", "Speed-up of each tier, on a logarithmic scale",
                         "A point with its 95 % interval is one of your tiers that passed. A ring "
                         "is the reference in the same tier. The dashed line is the speed of the "
                         "reference's baseline. The table has the numbers."});
        html_table(page, NULL, ladder(s, submission, size));
    } else {
        html_paragraph(page, "No tier that passed has a time yet.");
    }
    html_section_end(page);
}

static struct term_table *scaling(const struct source *s, unsigned submission)
{
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},  {"size", TERM_RIGHT},     {"launch", TERM_LEFT},
        {"time", TERM_RIGHT}, {"speed-up", TERM_RIGHT}, {"efficiency", TERM_RIGHT}};
    const struct assignment *a = s->run->assignment;
    struct term_table *table =
        term_table_new("Speed-up over the same code on one worker; efficiency is this speed-up "
                       "divided by the number of workers");
    term_table_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (unsigned k = 0; k < 2 * a->tiers_count; k++) {
        const struct speed *x[WORKERS_MOST];
        const unsigned t = k / 2;
        const bool over_nodes = k % 2;
        const size_t n = find_scaling(s, plan_unit_of(s->run->plan, (int)submission, (int)t),
                                      over_nodes, x, WORKERS_MOST);
        for (size_t i = 0; i < n; i++) {
            const struct interval e = x[i]->efficiency;
            cell_text(table, a->tiers[t].title);
            cell_size(table, x[i]->shape);
            cell_launch(table, &a->tiers[t], x[i]->launch);
            cell_seconds(table, x[i]->seconds.value, x[i]->seconds);
            cell_interval(table, TERM_PLAIN, stats_scaled(e, launch_workers(x[i]->launch)));
            cell_share(table, e.value, e);
        }
    }
    return table;
}

void student_scaling(const struct source *s, unsigned submission, int picture,
                     struct html_page *page)
{
    html_section(page, "scaling", "Strong scaling");
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "scaling-picture", "Speed-up over one worker for each number of workers",
                     "A worker is a thread of a rank. The dashed line is the ideal: twice the "
                     "workers, half the time. The table has the numbers."});
    html_table_or(page, NULL, scaling(s, submission),
                  "No tier that passed was timed with more than one worker.");
    html_table_or(page, NULL, weak_table(s->run, s->results, (int)submission), NULL);
    html_section_end(page);
}

static struct term_table *roofs(const struct source *s, unsigned submission)
{
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},     {"size", TERM_RIGHT},
        {"launch", TERM_LEFT},   {"operations per byte", TERM_RIGHT},
        {"GOP/s", TERM_RIGHT},   {"roof, GOP/s", TERM_RIGHT},
        {"of roof", TERM_RIGHT}, {"bound by", TERM_LEFT}};
    const struct run *r = s->run;
    const struct unit_range mine = plan_units_of(r->plan, (int)submission);
    struct term_table *table = term_table_new("The largest size of each tier, fastest launch");
    term_table_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = mine.first; i < mine.end; i++) {
        const struct speed *x = roofline_pick(r, s->board, (int)i);
        if (!x)
            continue;
        const struct tier *t = &r->assignment->tiers[r->plan->units[i].tier];
        const struct roofline line =
            roofline_speed(r, s->results, x, roofline_bandwidths(r, s->results, x)->gbs[0]);
        cell_text(table, t->title);
        cell_size(table, x->shape);
        cell_launch(table, t, x->launch);
        cell_number(table, line.intensity);
        cell_measured(table, x->gops, x->seconds);
        cell_number(table, line.roof);
        cell_share(table, line.fraction, x->seconds);
        cell_text(table, line.bound == BOUND_UNKNOWN ? "unknown" : bound_name(line.bound));
    }
    return table;
}

void student_roofline(const struct source *s, unsigned submission, int picture,
                      struct html_page *page)
{
    html_section(page, "roofline", "Roofline: what bounds you");
    html_paragraph(page, "A kernel cannot be faster than its roof: the lower one of the rate of "
                         "arithmetic, and of memory bandwidth times operations per byte. A tier "
                         "far below its roof has much to gain.");
    picture_show(
        page, s->pictures, picture,
        &(struct picture_text){
            "roofline-picture", "Speed of each tier below the roofs of the node",
            "The slopes are memory bandwidths, the levels are rates of arithmetic, of one "
            "core and of all cores in use; dashed levels are those of other types. A point "
            "is a tier at one size. The table has "
            "the numbers."});
    html_table_or(page, NULL, roofs(s, submission), "No time was measured.");
    html_section_end(page);
}
