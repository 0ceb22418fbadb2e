#include "pages/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "model/sweep.h"
#include "pages/find.h"
#include "pages/scripts.h"
#include "report/roofline.h"
#include "report/sweep.h"
#include "report/text.h"
#include "report/weak_rows.h"

static const char *id_of(const struct source *s, int submission)
{
    return s->run->plan->submissions[submission].id;
}

/* --- the ladder ------------------------------------------------------------------------------- */

static bool make_ladder(const struct source *s, int submission, struct chart *c)
{
    const struct run *r = s->run;
    struct shape size;
    char size_text[SHAPE_TEXT];
    if (!find_ladder_size(s, submission, &size))
        return false;
    shape_format(size, size_text);
    c->title = xasprintf("%s: speed-up over the reference's %s, size %s", id_of(s, submission),
                         r->assignment->baseline, size_text);
    bool rings = false;
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const int unit = plan_unit_of(r->plan, submission, (int)t);
        const struct speed *x = find_passed(s, unit) ? score_fastest(s->board, unit, size) : NULL;
        char speedup[TEXT_MOST], launch[TEXT_MOST];
        if (!x || !isfinite(x->speedup.value))
            continue;
        const bool compared = x->fraction.n && x->fraction.value > 0 &&
                              !r->plan->submissions[submission].is_reference;
        text_measured(x->speedup.value, x->speedup, speedup);
        text_launch(&r->assignment->tiers[t], x->launch, launch);
        rings = rings || compared;
        chart_add_bar(c, (struct chart_bar){.name = xstrdup(r->assignment->tiers[t].name),
                                            .value = xasprintf("%s (%s)", speedup, launch),
                                            .length = x->speedup.value,
                                            .ring = compared ? x->speedup.value / x->fraction.value
                                                             : (double)NAN});
    }
    c->note = rings ? xstrdup("hollow mark: the reference in the same tier") : NULL;
    return c->bars > 0;
}

/* --- scaling ---------------------------------------------------------------------------------- */

static bool make_scaling(const struct source *s, int submission, struct chart *c)
{
    const struct run *r = s->run;
    int most = 1;
    for (unsigned k = 0; k < 2 * r->assignment->tiers_count; k++) {
        const struct speed *x[WORKERS_MOST];
        const unsigned t = k / 2;
        const bool over_nodes = k % 2;
        const size_t n =
            find_scaling(s, plan_unit_of(r->plan, submission, (int)t), over_nodes, x, WORKERS_MOST);
        char size[SHAPE_TEXT];
        if (n < (over_nodes ? 1 : 2))
            continue;
        shape_format(x[0]->shape, size);
        struct chart_series *line =
            chart_add_series(c,
                             xasprintf("%s%s, size %s", r->assignment->tiers[t].name,
                                       over_nodes ? " over nodes" : "", size),
                             (int)c->series_count);
        line->line = line->marks = true;
        for (size_t i = 0; i < n; i++) {
            const int workers = launch_workers(x[i]->launch);
            chart_add_point(line, workers, x[i]->efficiency.value * workers);
            most = workers > most ? workers : most;
        }
    }
    if (!c->series_count)
        return false;
    struct chart_series *ideal = chart_add_series(c, xstrdup("ideal"), CANVAS_DIM);
    ideal->line = ideal->dashed = true;
    chart_add_point(ideal, 1, 1);
    chart_add_point(ideal, most, most);
    c->title = xasprintf("%s: speed-up over one worker", id_of(s, submission));
    c->x_label = "workers: threads of all ranks";
    c->y_label = "speed-up";
    c->base = 2;
    return true;
}

/* --- weak scaling ----------------------------------------------------------------------------- */

/* The launches on one node, or those over several: as many workers are not the same there. */
static void add_weak_lines(const struct source *s, const struct weak_row *row, size_t n,
                           bool over_nodes, struct chart *c)
{
    const struct weak_row *before = NULL;
    struct chart_series *line = NULL;
    for (const struct weak_row *x = row; x < row + n; x++) {
        if ((x->result->launch.nodes > 1) != over_nodes)
            continue;
        if (!before || x->unit != before->unit || x->base != before->base) {
            char size[SHAPE_TEXT];
            shape_format(x->shape, size);
            line = chart_add_series(c,
                                    xasprintf("%s%s, from size %s",
                                              text_tier(s->run, (unsigned)x->unit),
                                              over_nodes ? " over nodes" : "", size),
                                    (int)c->series_count);
            line->line = line->marks = true;
        }
        chart_add_point(line, launch_workers(x->result->launch), x->efficiency.value);
        before = x;
    }
}

static bool make_weak(const struct source *s, int submission, struct chart *c)
{
    struct weak_row *row;
    const size_t n = weak_rows(s->run, s->results, submission, &row);
    int fewest = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        const int workers = launch_workers(row[i].result->launch);
        fewest = !fewest || workers < fewest ? workers : fewest;
        most = workers > most ? workers : most;
    }
    add_weak_lines(s, row, n, false, c);
    add_weak_lines(s, row, n, true, c);
    free(row);
    if (most <= fewest)
        return false;
    struct chart_series *ideal = chart_add_series(c, xstrdup("ideal"), CANVAS_DIM);
    ideal->line = ideal->dashed = true;
    chart_add_point(ideal, fewest, 1);
    chart_add_point(ideal, most, 1);
    c->title = xasprintf("%s: weak scaling, the size grows with the workers", id_of(s, submission));
    c->x_label = "workers: threads of all ranks";
    c->y_label = "scaled efficiency";
    c->base = 2;
    return true;
}

/* --- the roofline ----------------------------------------------------------------------------- */

static void add_roof(struct chart *c, double bandwidth, double peak, double low, double high,
                     int workers)
{
    char gops[TEXT_MOST], rate[TEXT_MOST];
    text_number(peak, gops);
    text_number(bandwidth, rate);
    struct chart_series *roof =
        chart_add_series(c,
                         xasprintf("%d %s: %s GOP/s, %s GB/s", workers,
                                   workers == 1 ? "worker" : "workers", gops, rate),
                         CANVAS_DIM);
    const double ridge = peak / bandwidth;
    roof->line = true;
    if (low < ridge)
        chart_add_point(roof, low, low * bandwidth);
    chart_add_point(roof, ridge, peak);
    if (high > ridge)
        chart_add_point(roof, high, peak);
}

/* A point for each tier, where it says most; the roofs of the fewest and of the most workers. */
static bool make_roofline(const struct source *s, int submission, struct chart *c)
{
    const struct run *r = s->run;
    struct roofline line[2] = {{0}};
    int workers[2] = {0, 0};
    double low = INFINITY, high = 0;
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const int unit = plan_unit_of(r->plan, submission, (int)t);
        const struct speed *x = find_passed(s, unit) ? roofline_pick(r, s->board, unit) : NULL;
        const struct roofline l = x ? roofline_speed(r, s->results, x, BANDWIDTH_MEASURED)
                                    : (struct roofline){.roof = (double)NAN};
        char size[SHAPE_TEXT], gops[TEXT_MOST], launch[TEXT_MOST];
        if (!x || !isfinite(l.roof) || !isfinite(l.gops) || l.gops <= 0)
            continue;
        const int n = launch_workers(x->launch);
        shape_format(x->shape, size);
        text_measured(l.gops, x->seconds, gops);
        text_launch(&r->assignment->tiers[t], x->launch, launch);
        struct chart_series *point = chart_add_series(
            c, xasprintf("%s: %s GOP/s (%s, %s)", r->assignment->tiers[t].name, gops, size, launch),
            (int)c->series_count);
        point->marks = true;
        point->label = r->assignment->tiers[t].name;
        chart_add_point(point, l.intensity, l.gops);
        low = fmin(low, fmin(l.intensity, l.peak / l.bandwidth));
        high = fmax(high, fmax(l.intensity, l.peak / l.bandwidth));
        for (int k = 0; k < 2; k++)
            if (!workers[k] || (k ? n > workers[k] : n < workers[k])) {
                workers[k] = n;
                line[k] = l;
            }
    }
    if (!c->series_count)
        return false;
    add_roof(c, line[0].bandwidth, line[0].peak, low / 4, high * 4, workers[0]);
    if (workers[1] != workers[0])
        add_roof(c, line[1].bandwidth, line[1].peak, low / 4, high * 4, workers[1]);
    c->title = xasprintf("%s: roofline", id_of(s, submission));
    c->x_label = "operations per byte";
    c->y_label = "GOP/s";
    c->base = 10;
    return true;
}

/* --- a sweep ---------------------------------------------------------------------------------- */

static char *point_text(const struct tier *t, const struct case_result *c)
{
    char launch[TEXT_MOST], *point = sweep_point_text(t, (unsigned)c->point);
    text_launch(t, c->launch, launch);
    const bool several = tier_launch_count(t) > 1 || !*point;
    char *both = xasprintf("%s%s%s", point, *point && several ? ", " : "", several ? launch : "");
    free(point);
    return both;
}

static bool make_sweep(const struct source *s, unsigned unit, struct shape size, struct chart *c)
{
    const struct run *r = s->run;
    const struct unit_result *u = s->results->unit[unit];
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    const struct case_result *best = sweep_best(r, u, size);
    char text[SHAPE_TEXT];
    for (unsigned i = 0; best && i < u->cases_count; i++) {
        const struct case_result *x = &u->cases[i];
        if (!sweep_case(r, x) || x->verdict != VERDICT_PASS || !x->estimate.seconds.n ||
            !shape_equal(r->cases.item[x->case_index].shape, size))
            continue;
        char value[TEXT_MOST];
        const double operations = kernel_operations(r->assignment->kernel, size),
                     seconds = x->estimate.seconds.value;
        const bool counted = !isnan(operations); /* else by calls a second */
        if (counted)
            text_measured(operations / seconds * 1e-9, x->estimate.seconds, value);
        else
            text_seconds(seconds, value);
        chart_add_bar(c,
                      (struct chart_bar){.name = point_text(t, x),
                                         .value = xasprintf("%s%s", value, counted ? " GOP/s" : ""),
                                         .length = (counted ? operations : 1) / seconds,
                                         .ring = (double)NAN,
                                         .best = x == best});
    }
    shape_format(size, text);
    c->title = xasprintf("%s, %s, size %s",
                         r->plan->submissions[r->plan->units[unit].submission].id, t->title, text);
    return c->bars > 0;
}

/* --- all -------------------------------------------------------------------------------------- */

static struct chart *next(struct chart **charts, size_t n)
{
    *charts = xrealloc_array(*charts, n + 1, sizeof **charts);
    (*charts)[n] = (struct chart){0};
    return &(*charts)[n];
}

static size_t make_sweeps(const struct source *s, int submission, struct chart **charts)
{
    const struct run *r = s->run;
    const struct unit_range of = plan_units_of(r->plan, submission);
    size_t n = 0;
    for (unsigned u = of.first; u < of.end; u++) {
        const struct tier *t = &r->assignment->tiers[r->plan->units[u].tier];
        for (unsigned i = 0; s->results->unit[u] && i < tier_size_count(r->assignment, t); i++) {
            struct chart *c = next(charts, n);
            if (make_sweep(s, u, tier_size(r->assignment, t, i), c))
                n++;
            else
                chart_free(c);
        }
    }
    return n;
}

size_t plots_make(const struct run *r, const struct results *res, const struct scoreboard *b,
                  int submission, struct chart **charts)
{
    static bool (*const makers[])(const struct source *, int, struct chart *) = {
        make_ladder, make_scaling, make_weak, make_roofline};
    const struct source s = {.run = r, .results = res, .board = b};
    size_t n = 0;
    *charts = NULL;
    if (r->plan->sweep)
        return make_sweeps(&s, submission, charts);
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct chart *c = next(charts, n);
        if (makers[i](&s, submission, c))
            n++;
        else
            chart_free(c);
    }
    return n;
}
