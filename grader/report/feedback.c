#include "report/feedback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "report/adjust.h"
#include "report/dimension_hint.h"
#include "report/replay_options.h"
#include "report/smallest.h"
#include "report/text.h"

enum { FAILED_CASES = 5 };

#define PRINTED_POINTS 0.05 /* fewer would be printed as 0.0 */

char *feedback_replay(const struct unit_result *u, const struct case_result *c,
                      const char *run_name)
{
    char options[REPLAY_OPTIONS], launch[LAUNCH_TEXT];
    replay_options(replay_conditions(c), options);
    launch_format(c->launch, launch);
    return xasprintf("paragrade replay %s %s %d --launch %s%s", run_name, u->unit_id, c->case_index,
                     launch, options);
}

char *feedback_failed_cases(const struct run *r, const struct unit_result *u)
{
    unsigned failed = 0, total = 0;
    int shown = 0;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        total++;
        if (c->verdict == VERDICT_PASS)
            continue;
        failed++;
        if (c->case_index >= (int)r->cases.count || shown == FAILED_CASES)
            continue;
        char size[SHAPE_TEXT];
        kernel_size_text(r->assignment->kernel, r->cases.item[c->case_index].shape, size);
        strbuf_addf(&sb, "%s%s", shown ? ", " : "", size);
        shown++;
    }
    OWNED char *hint = dimension_hint(r, u);
    char *text =
        xasprintf("%u of %u %s failed: %s%s%s%s", failed, total, plural(total, "case", "cases"),
                  sb.s, (int)failed > shown ? ", ..." : "", *hint ? "; " : "", hint);
    return text;
}

char *feedback_points(const struct unit_score *s, const struct subset *only)
{
    if (subset_is_part(only) || (s->counted && s->max_points <= 0))
        return xstrdup("");
    char text[TEXT_MOST];
    text_points_of(s->points, s->max_points, text);
    if (s->counted) /* also where its times cannot be graded, and a person gave points */
        return xstrdup(text);
    if (s->not_gradable)
        return xasprintf("(its times cannot be graded: %s; no points are lost)", s->not_gradable);
    return xstrdup("(does not count)");
}

static char *late_text(const struct run *r, const struct submission_score *s, unsigned submission)
{
    char when[INSTANT_TEXT], lost[32] = "";
    instant_format_at(adjust_submitted(r, submission), r->assignment->deadline.offset_s, when);
    if (s->late_penalty > 0)
        snprintf(lost, sizeof lost, ": -%.1f points", s->late_penalty);
    return xasprintf("Late: submitted %s, %.1f h after the deadline%s", when,
                     (double)s->late_s / 3600, lost);
}

/* What was decided about a unit, or with unit -1 about the submission; NULL: nothing. */
static char *decided_text(const struct run *r, unsigned submission, int unit)
{
    char *decided = adjust_text(r, (int)submission, unit), *text = NULL;
    if (*decided)
        text = xasprintf("Decided by the instructor: %s %s",
                         unit < 0 ? "submission" : text_tier(r, (unsigned)unit), decided);
    free(decided);
    return text;
}

unsigned feedback_adjustments(const struct run *r, const struct scoreboard *b, unsigned submission,
                              char ***texts)
{
    const struct plan *p = r->plan;
    const struct unit_range mine = plan_units_of(p, (int)submission);
    unsigned n = 0;
    char **text = xcalloc(mine.end - mine.first + 2, sizeof *text);
    if (b->submission[submission].late_s)
        text[n++] = late_text(r, &b->submission[submission], submission);
    text[n] = decided_text(r, submission, -1);
    n += text[n] != NULL;
    for (unsigned u = mine.first; u < mine.end; u++) { /* a delta alone makes no unit count */
        text[n] = b->unit[u].counted ? decided_text(r, submission, (int)u) : NULL;
        n += text[n] != NULL;
    }
    *texts = text;
    return n;
}

char *feedback_smallest(const struct run *r, unsigned unit, const struct unit_result *u)
{
    if (!smallest_is_news(r, u))
        return xstrdup("");
    OWNED char *what = smallest_text(r, unit, &u->smallest);
    return xasprintf("(%s): %s", what, u->smallest.message);
}

unsigned feedback_remarks(const struct unit_result *u, char ***texts)
{
    unsigned n = 0;
    *texts = NULL;
    for (const char *line = u->remarks; *line;) {
        const size_t length = strcspn(line, "\n");
        *texts = xrealloc_array(*texts, n + 1, sizeof **texts);
        (*texts)[n++] = xasprintf("%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return n;
}

char *feedback_not_timed(const struct run *r, unsigned unit, const struct unit_result *u)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    FREED_BY(strbuf_free) struct strbuf launches = STRBUF_INIT;
    const struct case_result *last = NULL;
    int most = 0, nodes = 1;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        char text[TEXT_MOST];
        if (!score_lacks_cores(r, c) || (last && launch_equal(last->launch, c->launch)))
            continue;
        text_launch(t, c->launch, text);
        strbuf_addf(&launches, "%s%s", last ? ", " : "", text);
        if (c->launch.nodes > nodes)
            nodes = c->launch.nodes;
        if (launch_workers(launch_on_node(c->launch)) > most)
            most = launch_workers(launch_on_node(c->launch));
        last = c;
    }
    if (!last)
        return xstrdup("");
    if (nodes > 1)
        return xasprintf("not timed: %s. The results were checked. These times need a Slurm job "
                         "with %d nodes and %d %s on each.",
                         launches.s, nodes, most, plural((unsigned)most, "core", "cores"));
    if (most <= u->cores) /* so it lacked GPUs, each of which is a worker */
        return xasprintf("not timed: %s, because there were fewer GPUs. The results were checked. "
                         "To get these times, use a machine with %d GPUs.",
                         launches.s, most);
    return xasprintf("not timed: %s, because there %s only %d %s. The results were checked. To get "
                     "these times, use a machine with more cores (on a cluster: srun -c %d).",
                     launches.s, plural((unsigned)u->cores, "was", "were"), u->cores,
                     plural((unsigned)u->cores, "core", "cores"), most);
}

static double metric_value(const struct speed *s, enum speed_metric m)
{
    return m == METRIC_SPEEDUP ? s->speedup.value : m == METRIC_GOPS ? s->gops : s->fraction.value;
}

/* Points that a launch would add with this value: the best launch so far has its points already. */
static double points_to_gain(const struct run *r, const struct scoreboard *b, const struct speed *s,
                             double value)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[s->unit].tier];
    double points = 0;
    for (unsigned i = 0; i < t->points.speed_count; i++) {
        const struct speed_rule *rule = &t->points.speed[i];
        if (speed_rule_is_for(rule, s->shape))
            points += fmax(0, score_curve(rule, value) -
                                  score_best(r->assignment, b, s->unit, t, rule, s->shape));
    }
    return points;
}

char *feedback_next(const struct run *r, const struct scoreboard *b, const struct speed *s)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[s->unit].tier];
    const double v = metric_value(s, t->points.metric);
    double next = INFINITY, points = 0;
    if (!s->graded || isnan(v))
        return xstrdup("");
    for (unsigned i = 0; i < t->points.speed_count; i++) {
        const struct speed_rule *rule = &t->points.speed[i];
        for (unsigned k = 0; k < rule->curve_count && speed_rule_is_for(rule, s->shape); k++) {
            const double value = rule->curve[k].value;
            const double more = points_to_gain(r, b, s, value);
            if (value <= v || value >= next || more < PRINTED_POINTS)
                continue;
            next = value;
            points = more;
        }
    }
    char n[TEXT_MOST];
    if (points <= 0)
        return xstrdup("");
    text_number(t->points.metric == METRIC_FRACTION ? 100 * next : next, n);
    return xasprintf(t->points.metric == METRIC_SPEEDUP ? "speed-up %s: +%.1f points"
                     : t->points.metric == METRIC_GOPS
                         ? "%s GOP/s: +%.1f points"
                         : "%s%% of the reference's speed: +%.1f points",
                     n, points);
}

/* Why the points may be fewer than they will be. */
static const char *remark(const struct run *r, const struct results *res)
{
    return results_left(res)                           ? "; the run is not finished"
           : r->assignment->performance.sizes_left_out ? "; the full run measures more sizes, for "
                                                         "more points"
                                                       : "";
}

enum state { STATE_PASS, STATE_FAIL, STATE_MISSING, STATE_SKIPPED, STATE_UNDECIDED, STATE_COUNT };

static enum state state_of(const struct unit_result *u)
{
    if (!u || verdict_fault(u->verdict) == FAULT_INFRA)
        return STATE_UNDECIDED;
    return u->verdict == VERDICT_PASS      ? STATE_PASS
           : u->verdict == VERDICT_MISSING ? STATE_MISSING
           : u->verdict == VERDICT_SKIPPED ? STATE_SKIPPED
                                           : STATE_FAIL;
}

char *feedback_total(const struct run *r, const struct results *res, const struct scoreboard *b,
                     unsigned submission, double seconds)
{
    static const char *const names[STATE_COUNT] = {"passed", "failed", "missing", "skipped",
                                                   "undecided"};
    const struct submission_score *s = &b->submission[submission];
    const struct unit_range mine = plan_units_of(r->plan, (int)submission);
    unsigned count[STATE_COUNT] = {0};
    struct strbuf sb = STRBUF_INIT;
    char points[TEXT_MOST];
    for (unsigned u = mine.first; u < mine.end; u++)
        count[state_of(res->unit[u])]++;
    text_points_of(s->points, s->max_points, points);
    /* A person can give points also where no tier counts. */
    const bool points_too = (s->max_points > 0 || s->points > 0) && !subset_is_part(&r->plan->only);
    strbuf_addf(&sb, "Total: %s", points_too ? points : "");
    for (int i = 0; i < STATE_COUNT; i++)
        if (count[i])
            strbuf_addf(&sb, "%s%u %s", sb.s[sb.len - 1] == ' ' ? "" : ", ", count[i], names[i]);
    if (seconds > 0)
        strbuf_addf(&sb, ", %.0f s", fmax(1, seconds));
    if (!subset_is_part(&r->plan->only))
        strbuf_adds(&sb, remark(r, res));
    return strbuf_detach(&sb);
}

const char *feedback_last_lines(const char *text, int most)
{
    const char *from = text + strlen(text);
    int lines = 0;
    if (from > text && from[-1] == '\n')
        from--;
    while (from > text && (from[-1] != '\n' || ++lines < most))
        from--;
    return from;
}
