/* How fast a student's tiers are: the ladder, the scaling and the roofline, each as a picture and
 * as a table. */
#include <math.h>
#include <stdlib.h>

#include "pages/scripts.h"
#include "pages/student_sections.h"
#include "report/roofline.h"
#include "report/text.h"

void student_ladder(const struct source *s, unsigned submission, int picture,
                    struct html_page *page)
{
    static const struct html_column columns[] = {{"tier", false},
                                                 {"launch", false},
                                                 {"speed-up", true},
                                                 {"over the tier before", true},
                                                 {"of reference", true}};
    const struct assignment *a = s->run->assignment;
    struct shape size;
    char text[TEXT_MOST], size_text[SHAPE_TEXT];
    html_section(page, "ladder", "Speed-up ladder");
    if (!find_ladder_size(s, (int)submission, &size)) {
        html_paragraph(page, "No tier that passed has a time yet.");
        html_section_end(page);
        return;
    }
    shape_format(size, size_text);
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "ladder-picture", "Speed-up of each tier, on a logarithmic scale",
                     "A point with its 95 % interval is one of your tiers that passed. A ring is "
                     "the reference in the same tier. The dashed line is the speed of the "
                     "reference's baseline. The table has the numbers."});
    char *caption = xasprintf("Speed-up over the reference's %s at size %s, fastest launch",
                              a->baseline, size_text);
    html_table(page, caption, columns, sizeof columns / sizeof columns[0]);
    free(caption);
    double before = NAN;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const int unit = plan_unit_of(s->run->plan, (int)submission, (int)t);
        const struct speed *x = find_passed(s, unit) ? score_fastest(s->board, unit, size) : NULL;
        if (!x)
            continue;
        html_row(page, a->tiers[t].title);
        text_launch(&a->tiers[t], x->launch, text);
        html_cell(page, "%s", text);
        text_interval(x->speedup, text);
        html_number(page, text);
        text_measured(x->speedup.value / before, x->speedup, text);
        html_number(page, text);
        text_measured(x->fraction.value, x->fraction, text);
        html_number(page, text);
        html_row_end(page);
        before = x->speedup.value;
    }
    html_table_end(page);
    html_section_end(page);
}

static void show_scaling_rows(const struct tier *t, const struct speed *const *x, size_t n,
                              struct html_page *page)
{
    for (size_t i = 0; i < n; i++) {
        char text[TEXT_MOST], size[SHAPE_TEXT];
        const int workers = launch_workers(x[i]->launch);
        shape_format(x[i]->shape, size);
        html_row(page, t->title);
        html_cell(page, "%s", size);
        text_launch(t, x[i]->launch, text);
        html_cell(page, "%s", text);
        text_measured_seconds(x[i]->seconds.value, x[i]->seconds, text);
        html_number(page, text);
        text_interval(stats_scaled(x[i]->efficiency, workers), text);
        html_number(page, text);
        text_measured_share(x[i]->efficiency.value, x[i]->efficiency, text);
        html_number(page, text);
        html_row_end(page);
    }
}

void student_scaling(const struct source *s, unsigned submission, int picture,
                     struct html_page *page)
{
    static const struct html_column columns[] = {{"tier", false},    {"size", false},
                                                 {"launch", false},  {"time", true},
                                                 {"speed-up", true}, {"efficiency", true}};
    const struct assignment *a = s->run->assignment;
    bool any = false;
    html_section(page, "scaling", "Strong scaling");
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "scaling-picture", "Speed-up over one worker for each number of workers",
                     "A worker is a thread of a rank. The dashed line is the ideal: twice the "
                     "workers, half the time. The table has the numbers."});
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const struct speed *x[WORKERS_MOST];
        const size_t n =
            find_scaling(s, plan_unit_of(s->run->plan, (int)submission, (int)t), x, WORKERS_MOST);
        if (n && !any)
            html_table(page,
                       "Speed-up over the same code on one worker; efficiency is this "
                       "speed-up divided by the number of workers",
                       columns, sizeof columns / sizeof columns[0]);
        any = any || n;
        show_scaling_rows(&a->tiers[t], x, n, page);
    }
    if (any)
        html_table_end(page);
    else
        html_paragraph(page, "No tier that passed was timed with more than one worker.");
    html_section_end(page);
}

static void show_roof_row(const struct source *s, const struct speed *x, struct html_page *page)
{
    const struct run *r = s->run;
    const struct tier *t = &r->assignment->tiers[r->plan->units[x->unit].tier];
    const struct roofline line =
        roofline_speed(r, s->results, x, roofline_bandwidths(r, s->results, x)->gbs[0]);
    char text[TEXT_MOST], size[SHAPE_TEXT];
    shape_format(x->shape, size);
    html_row(page, t->title);
    html_cell(page, "%s", size);
    text_launch(t, x->launch, text);
    html_cell(page, "%s", text);
    text_number(line.intensity, text);
    html_number(page, text);
    text_measured(x->gops, x->seconds, text);
    html_number(page, text);
    text_number(line.roof, text);
    html_number(page, text);
    text_measured_share(line.fraction, x->seconds, text);
    html_number(page, text);
    html_cell(page, "%s", line.bound == BOUND_UNKNOWN ? "unknown" : bound_name(line.bound));
    html_row_end(page);
}

void student_roofline(const struct source *s, unsigned submission, int picture,
                      struct html_page *page)
{
    static const struct html_column columns[] = {
        {"tier", false}, {"size", false},       {"launch", false}, {"operations per byte", true},
        {"GOP/s", true}, {"roof, GOP/s", true}, {"of roof", true}, {"bound by", false}};
    const struct unit_range mine = plan_units_of(s->run->plan, (int)submission);
    bool any = false;
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
    for (unsigned i = mine.first; i < mine.end; i++) {
        const struct speed *x = roofline_pick(s->run, s->board, (int)i);
        if (!x)
            continue;
        if (!any)
            html_table(page, "The largest size of each tier, fastest launch", columns,
                       sizeof columns / sizeof columns[0]);
        any = true;
        show_roof_row(s, x, page);
    }
    if (any)
        html_table_end(page);
    else
        html_paragraph(page, "No time was measured.");
    html_section_end(page);
}
