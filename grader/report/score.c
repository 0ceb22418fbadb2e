#include "report/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "report/adjust.h"

static const struct interval unknown = {NAN, NAN, NAN, 0, false};

bool score_timed(const struct case_result *c)
{
    return c->launch_index >= 0 && c->verdict == VERDICT_PASS && c->estimate.seconds.n > 0;
}

bool score_lacks_cores(const struct run *r, const struct case_result *c)
{
    return c->oversubscribed && c->launch_index >= 0 && c->case_index < (int)r->cases.count &&
           r->cases.item[c->case_index].kind == CASE_PERFORMANCE;
}

const struct case_result *score_find(const struct unit_result *u, int case_index, struct launch l)
{
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index == case_index && launch_equal(c->launch, l) && score_timed(c))
            return c;
    }
    return NULL;
}

/* The reference submission's result in the same tier; NULL if there is none, or if the grader or a
 * node failed. */
static const struct unit_result *reference_of(const struct run *r, const struct results *res,
                                              int tier)
{
    const int unit = plan_unit_of(r->plan, plan_reference(r->plan), tier);
    const struct unit_result *u = unit < 0 ? NULL : res->unit[unit];
    return u && verdict_fault(u->verdict) != FAULT_INFRA ? u : NULL;
}

/* The first speed of this or a later unit. */
static const struct speed *first_speed_from(const struct scoreboard *b, int unit)
{
    size_t from = 0, end = b->speed_count;
    while (from < end) {
        const size_t middle = from + (end - from) / 2;
        if (b->speed[middle].unit < unit)
            from = middle + 1;
        else
            end = middle;
    }
    return from ? b->speed + from : b->speed; /* which is NULL where nothing was timed */
}

struct speeds score_speeds(const struct scoreboard *b, int unit)
{
    return (struct speeds){first_speed_from(b, unit), first_speed_from(b, unit + 1)};
}

struct speeds score_speeds_of(const struct scoreboard *b, struct unit_range units)
{
    return (struct speeds){first_speed_from(b, (int)units.first),
                           first_speed_from(b, (int)units.end)};
}

const struct speed *score_fastest(const struct scoreboard *b, int unit, struct shape size)
{
    const struct speeds of = score_speeds(b, unit);
    const struct speed *best = NULL;
    for (const struct speed *s = of.first; s < of.end; s++)
        if (s->graded && shape_equal(s->shape, size) &&
            (!best || s->seconds.value < best->seconds.value))
            best = s;
    return best;
}

struct interval score_over(struct case_of c, struct case_of other)
{
    if (c.result == other.result)
        return (struct interval){1, 1, 1, c.result->estimate.relative.n, false};
    return strcmp(c.unit->yardstick, other.unit->yardstick) == 0
               ? stats_over(c.result->estimate.relative, other.result->estimate.relative)
               : unknown;
}

/* Speeds are compared relative to the yardstick: only these agree between nodes and over time. */
static void fill_speed(const struct run *r, const struct results *res, const struct kernel *k,
                       const struct unit_result *u, const struct case_result *c, struct speed *s)
{
    const struct test_case *tc = &r->cases.item[c->case_index];
    const struct node_record *node = results_node(res, u);
    const struct calibration *cal = node_calibration(node, tc->shape);
    int tier = r->plan->units[s->unit].tier;
    s->case_index = c->case_index;
    s->shape = tc->shape;
    s->launch = c->launch;
    s->oversubscribed = c->oversubscribed;
    s->graded = u->verdict == VERDICT_PASS && score_timed(c) && !c->oversubscribed;
    s->seconds = c->estimate.seconds;
    s->typical = c->estimate.typical;
    s->end_to_end = c->estimate.end_to_end;
    s->gops = kernel_operations(k, tc->shape) / c->estimate.seconds.value * 1e-9;
    s->peak_share = node ? s->gops / launch_peak(node, c->launch) : (double)NAN;
    s->speedup = cal && cal->ratio.n ? stats_times(c->estimate.relative, cal->ratio) : unknown;
    const struct unit_result *reference = reference_of(r, res, tier);
    const struct case_of mine = {u, c};
    const struct case_result *ref =
        reference ? score_find(reference, c->case_index, c->launch) : NULL;
    s->fraction = ref ? score_over(mine, (struct case_of){reference, ref}) : unknown;
    const struct case_result *one = score_find(u, c->case_index, launch_here(1, 1));
    const struct case_result *node_one = score_find(u, c->case_index, launch_on_node(c->launch));
    s->node_efficiency = node_one ? stats_scaled(score_over(mine, (struct case_of){u, node_one}),
                                                 1.0 / launch_nodes(c->launch))
                                  : unknown;
    s->efficiency = one ? stats_scaled(score_over(mine, (struct case_of){u, one}),
                                       1.0 / launch_workers(c->launch))
                        : unknown;
}

double score_curve(const struct speed_rule *rule, double value)
{
    const struct curve_point *c = rule->curve;
    unsigned n = rule->curve_count;
    if (!n || isnan(value))
        return 0;
    if (value <= c[0].value)
        return c[0].share * rule->points;
    for (unsigned i = 1; i < n; i++) {
        if (value >= c[i].value)
            continue;
        double t = (value - c[i - 1].value) / (c[i].value - c[i - 1].value);
        return (c[i - 1].share + t * (c[i].share - c[i - 1].share)) * rule->points;
    }
    return c[n - 1].share * rule->points;
}

/* Noise may cost nobody points, but a wide interval is no way to many. */
#define BENEFIT_MOST 1.05

double score_value(struct interval value, enum benefit benefit)
{
    if (benefit == BENEFIT_NONE || !(value.high > value.value))
        return value.value;
    return fmin(value.high, BENEFIT_MOST * value.value);
}

double score_round(double points, double rounding, double most)
{
    const double all = most - 1e-9; /* sums of the same points in another order differ a little */
    return rounding > 0 && points < all ? fmin(round(points / rounding) * rounding, most)
                                        : fmin(points, most);
}

static double metric_of(const struct speed *s, enum speed_metric m, enum benefit benefit)
{
    switch (m) {
    case METRIC_SPEEDUP:
        return score_value(s->speedup, benefit);
    case METRIC_GOPS: /* a rate is high where the time is low */
        return score_value((struct interval){s->gops, 0,
                                             s->gops * s->seconds.value / s->seconds.low,
                                             s->seconds.n, false},
                           benefit);
    case METRIC_FRACTION:
        return score_value(s->fraction, benefit);
    }
    return NAN;
}

/* Was the unit timed at this size, but not the one that its times are compared with? Then none of
 * its graded launches has a value of the metric. */
static bool lacks_value(const struct assignment *a, const struct scoreboard *b, unsigned unit,
                        const struct tier *t, struct shape size)
{
    const struct speeds of = score_speeds(b, (int)unit);
    bool is_timed = false;
    for (const struct speed *s = of.first; s < of.end; s++) {
        if (!s->graded || !shape_equal(s->shape, size))
            continue;
        if (!isnan(metric_of(s, t->points.metric, a->benefit)))
            return false;
        is_timed = true;
    }
    return is_timed;
}

double score_best(const struct assignment *a, const struct scoreboard *b, int unit,
                  const struct tier *t, const struct speed_rule *rule, struct shape size)
{
    const struct speeds of = score_speeds(b, unit);
    double best = 0;
    for (const struct speed *s = of.first; s < of.end; s++) {
        if (!s->graded || !shape_equal(s->shape, size))
            continue;
        double p = score_curve(rule, metric_of(s, t->points.metric, a->benefit));
        if (p > best)
            best = p;
    }
    return best;
}

/* A quick profile may not measure every size: rules for the other sizes change neither the points
 * nor their maximum. */
static void speed_points(const struct assignment *a, const struct scoreboard *b, int unit,
                         const struct tier *t, struct unit_score *s)
{
    bool pass = s->verdict == VERDICT_PASS;
    for (unsigned i = 0; i < t->points.speed_count; i++) {
        const struct speed_rule *rule = &t->points.speed[i];
        for (unsigned k = 0; k < tier_size_count(a, t); k++) {
            struct shape size = tier_size(a, t, k);
            if (!speed_rule_is_for(rule, size))
                continue;
            s->max_points += rule->points;
            if (pass)
                s->speed_points += score_best(a, b, unit, t, rule, size);
        }
    }
}

/* When a tier was skipped for all who handed it in, nobody loses points for not handing it in. The
 * tiers for which this is so; the caller frees them. */
static bool *tiers_not_graded(const struct run *r, const struct results *res)
{
    const unsigned n = r->assignment->tiers_count;
    bool *skipped = xcalloc(n + 1, sizeof *skipped), *graded = xcalloc(n + 1, sizeof *graded);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const int t = r->plan->units[i].tier;
        if (!res->unit[i])
            continue;
        const enum verdict v = res->unit[i]->verdict;
        skipped[t] = skipped[t] || v == VERDICT_SKIPPED;
        graded[t] =
            graded[t] || (v != VERDICT_SKIPPED && v != VERDICT_MISSING && v != VERDICT_INFRA_ERROR);
    }
    for (unsigned t = 0; t < n; t++)
        skipped[t] = skipped[t] && !graded[t];
    free(graded);
    return skipped;
}

/* Why the times of a unit cannot be graded; NULL: they can be, there are none, or they give no
 * points because the unit failed. */
static const char *not_gradable(const struct run *r, const struct results *res,
                                const struct scoreboard *b, unsigned unit)
{
    const struct assignment *a = r->assignment;
    const struct tier *t = &a->tiers[r->plan->units[unit].tier];
    const struct unit_result *u = res->unit[unit];
    bool lacks = false;
    if (!u || u->verdict != VERDICT_PASS)
        return NULL;
    for (unsigned i = 0; i < t->points.speed_count; i++)
        for (unsigned k = 0; k < tier_size_count(a, t) && !lacks; k++)
            lacks = speed_rule_is_for(&t->points.speed[i], tier_size(a, t, k)) &&
                    lacks_value(a, b, unit, t, tier_size(a, t, k));
    return !lacks                                ? NULL
           : t->points.metric == METRIC_FRACTION ? "the reference has no time to compare with"
           : !results_node(res, u)               ? "the record of its node is missing"
                                                 : "the baseline has no time on its node";
}

/* Of how many cases are partial points a share? A unit that hangs or crashes too often ends early:
 * the checks that were not tried did not pass. Sizes that were not tried do not count, because the
 * grader itself does not time a unit that is wrong. */
static unsigned cases_due(const struct run *r, const struct tier *t, const struct unit_result *u)
{
    unsigned due = cases_to_check(&r->cases, r->assignment, t);
    for (unsigned i = 0; i < u->cases_count; i++) {
        const int c = u->cases[i].case_index;
        due += c < (int)r->cases.count && r->cases.item[c].kind == CASE_PERFORMANCE;
    }
    return due > u->cases_count ? due : u->cases_count;
}

static void score_unit(const struct run *r, const struct results *res, const bool *not_graded,
                       struct scoreboard *b, unsigned i)
{
    const struct assignment *a = r->assignment;
    const struct tier *t = &a->tiers[r->plan->units[i].tier];
    const struct unit_result *u = res->unit[i];
    struct unit_score *s = &b->unit[i];
    s->verdict = u ? u->verdict : VERDICT_INFRA_ERROR;
    s->not_gradable = subset_is_part(&a->only) ? NULL : not_gradable(r, res, b, i);
    s->counted = !r->plan->sweep && !subset_is_part(&a->only) && !s->not_gradable &&
                 verdict_fault(s->verdict) != FAULT_INFRA && s->verdict != VERDICT_SKIPPED &&
                 !not_graded[r->plan->units[i].tier];
    for (unsigned k = 0; u && k < u->cases_count; k++) {
        s->cases_total++;
        s->cases_passed += u->cases[k].verdict == VERDICT_PASS;
    }
    if (subset_is_part(&a->only)) /* no points as if it were complete */
        return;
    s->max_points = t->points.correct;
    if (s->verdict == VERDICT_PASS)
        s->correct_points = t->points.correct;
    else if (u && t->points.partial && s->cases_passed)
        s->correct_points = t->points.correct * s->cases_passed / cases_due(r, t, u);
    speed_points(a, b, (int)i, t, s);
    s->speed_points = score_round(s->correct_points + s->speed_points, a->rounding, s->max_points) -
                      s->correct_points;
    s->scored = s->correct_points + s->speed_points;
}

void score_run(const struct run *r, const struct results *res, struct scoreboard *out)
{
    const struct kernel *k = r->assignment->kernel;
    const struct plan *p = r->plan;
    *out = (struct scoreboard){0};
    out->unit = xcalloc(p->units_count, sizeof *out->unit);
    out->submission = xcalloc(p->submissions_count, sizeof *out->submission);
    for (unsigned i = 0; i < p->submissions_count; i++)
        out->submission[i].late_s = adjust_late(r, i);
    for (unsigned i = 0; i < p->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++) {
            if (r->plan->sweep || !score_timed(&u->cases[c]) ||
                u->cases[c].case_index >= (int)r->cases.count ||
                r->cases.item[u->cases[c].case_index].weak)
                continue;
            out->speed = list_one_more(out->speed, out->speed_count, sizeof *out->speed);
            struct speed *s = &out->speed[out->speed_count++];
            *s = (struct speed){.unit = (int)i};
            fill_speed(r, res, k, u, &u->cases[c], s);
        }
    }
    bool *not_graded = tiers_not_graded(r, res);
    for (unsigned i = 0; i < p->units_count; i++) {
        struct submission_score *s = &out->submission[p->units[i].submission];
        score_unit(r, res, not_graded, out, i);
        adjust_unit(r, i, s->late_s, &out->unit[i]);
        if (!out->unit[i].counted) {
            s->uncounted++;
            continue;
        }
        s->points += out->unit[i].points;
        s->max_points += out->unit[i].max_points;
        s->late_penalty += out->unit[i].late_penalty;
    }
    free(not_graded);
    for (unsigned i = 0; i < p->submissions_count; i++)
        adjust_submission(r, i, &out->submission[i]);
}

void scoreboard_free(struct scoreboard *s)
{
    free(s->speed);
    free(s->unit);
    free(s->submission);
    *s = (struct scoreboard){0};
}
