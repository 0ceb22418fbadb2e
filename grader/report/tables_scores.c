/* The tables of what the results are worth: units, speed-up, efficiency, roofline, comparisons. */
#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "report/adjust.h"
#include "report/roofline.h"
#include "report/smallest.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/versus.h"

static void put_protections(struct table *t, int set)
{
    OWNED char *names = protection_text(set == PROTECTIONS_UNKNOWN ? 0 : (unsigned)set, " ");
    table_str(t, UNITS_PROTECTIONS, set == 0 ? "none" : names);
}

static void put_smallest(struct table *t, const struct run *r, const struct unit_result *u)
{
    const struct smallest_result *s = &u->smallest;
    char size[SHAPE_TEXT] = "", *again = NULL;
    if (s->present) {
        kernel_size_text(r->assignment->kernel, s->shape, size);
        again = smallest_replay(r, r->plan->run_id, u);
        table_int(t, UNITS_SMALLEST_RANKS, s->launch.ranks);
        table_int(t, UNITS_SMALLEST_THREADS, s->launch.threads);
    } else {
        table_empty(t, UNITS_SMALLEST_RANKS);
        table_empty(t, UNITS_SMALLEST_THREADS);
    }
    table_str(t, UNITS_SMALLEST_SIZE, size);
    table_str(t, UNITS_SMALLEST_VALUES, s->values);
    table_str(t, UNITS_SMALLEST_MESSAGE, s->message);
    table_str(t, UNITS_SMALLEST_REPLAY, again ? again : "");
    free(again);
}

static void unit_row(const struct table_source *s, unsigned unit, struct table *t)
{
    const struct unit_result *u = s->results->unit[unit];
    const struct unit_score *score = &s->board->unit[unit];
    const bool counted = score->counted;
    const char *source = s->run->plan->units[unit].source;
    table_str(t, UNITS_SUBMISSION, text_submission(s->run, unit));
    table_str(t, UNITS_TIER, text_tier(s->run, unit));
    table_str(t, UNITS_VERDICT, verdict_name(u->verdict));
    /* Of a unit that does not count, nobody knows what it would have earned. */
    table_points(t, UNITS_POINTS, counted ? score->points : NAN);
    table_points(t, UNITS_MAX_POINTS, counted ? score->max_points : NAN);
    table_int(t, UNITS_CASES_PASSED, score->cases_passed);
    table_int(t, UNITS_CASES_TOTAL, score->cases_total);
    table_str(t, UNITS_NODE, u->host);
    table_str(t, UNITS_JOB, u->job);
    table_positive(t, UNITS_CORES, u->cores, SIGNIFICANT);
    table_str(t, UNITS_DEVICE, u->device);
    table_str(t, UNITS_YARDSTICK, u->yardstick);
    table_int(t, UNITS_RETRIES, s->results->attempts[unit]);
    table_str(t, UNITS_STARTED, u->started);
    table_positive(t, UNITS_BUILD_SECONDS, u->build_seconds, 4);
    table_positive(t, UNITS_UNIT_SECONDS, u->total_seconds, 4);
    table_positive(t, UNITS_PEAK_MEMORY, u->peak_memory, WHOLE);
    table_str(t, UNITS_SOURCE, source ? source : "");
    table_str(t, UNITS_COMPILER, u->compiler);
    put_protections(t, u->protections);
    if (u->attested == ATTESTED_UNKNOWN)
        table_empty(t, UNITS_ATTESTED);
    else
        table_yes_no(t, UNITS_ATTESTED, u->attested == ATTESTED_YES);
    table_str(t, UNITS_EVIDENCE, u->evidence);
    OWNED char *remarks = xreplace(u->remarks, "\n", "; ");
    table_str(t, UNITS_REMARKS, remarks);
    table_str(t, UNITS_SANITIZED, u->sanitized);
    table_str(t, UNITS_MESSAGE, u->message);
    table_str(t, UNITS_SOURCE_HASH, u->source_hash);
    put_smallest(t, s->run, u);
    OWNED char *decided = adjust_text(s->run, s->run->plan->units[unit].submission, (int)unit);
    table_points(t, UNITS_SCORED, counted ? score->scored : NAN);
    table_points(t, UNITS_LATE_PENALTY,
                 counted && score->late_penalty > 0 ? score->late_penalty : NAN);
    table_str(t, UNITS_OVERRIDE, decided);
    table_str(t, UNITS_COMPILE, text_compile_command(s->run, (int)unit));
    table_end_row(t);
}

void rows_units(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++)
        if (s->results->unit[i])
            unit_row(s, i, t);
}

static const struct tier *tier_of(const struct run *r, int unit)
{
    return &r->assignment->tiers[r->plan->units[unit].tier];
}

void rows_speedup(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct speed *x = &s->board->speed[i];
        table_str(t, SPEEDUP_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, SPEEDUP_TIER, text_tier(s->run, (unsigned)x->unit));
        table_int(t, SPEEDUP_RANKS, x->launch.ranks);
        table_int(t, SPEEDUP_THREADS, x->launch.threads);
        table_int(t, SPEEDUP_NODES, launch_nodes(x->launch));
        table_int(t, SPEEDUP_GPUS, tier_gpus(tier_of(s->run, x->unit), x->launch));
        table_size(t, SPEEDUP_SIZE, x->shape);
        table_num(t, SPEEDUP_SECONDS, x->seconds.value, SIGNIFICANT);
        table_num(t, SPEEDUP_TYPICAL, x->typical, 4);
        table_positive(t, SPEEDUP_END_TO_END, x->end_to_end.n ? x->end_to_end.value : 0,
                       SIGNIFICANT);
        table_num(t, SPEEDUP_GOPS, x->gops, SIGNIFICANT);
        table_num(t, SPEEDUP_PEAK_SHARE, x->peak_share, 4);
        table_num(t, SPEEDUP_SPEEDUP, x->speedup.value, SIGNIFICANT);
        table_num(t, SPEEDUP_LOW, x->speedup.low, SIGNIFICANT);
        table_num(t, SPEEDUP_HIGH, x->speedup.high, SIGNIFICANT);
        table_num(t, SPEEDUP_FRACTION, x->fraction.value, 4);
        table_yes_no(t, SPEEDUP_CONFIRMED, !x->speedup.unconfirmed);
        table_yes_no(t, SPEEDUP_GRADED, x->graded);
        table_end_row(t);
    }
}

void rows_versus(const struct table_source *s, struct table *t)
{
    const struct kernel *k = s->run->assignment->kernel;
    const char *compile = "", *other_compile = "";
    OWNED struct versus_row *rows = NULL;
    const size_t n = versus_rows(s->run, s->results, -1, &rows);
    for (size_t i = 0; i < n; i++) {
        const struct versus_row *x = &rows[i];
        const double operations = kernel_operations(k, x->shape) * 1e-9;
        OWNED char *other = versus_name(s->run, x->pair);
        table_str(t, VERSUS_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, VERSUS_TIER, text_tier(s->run, (unsigned)x->unit));
        table_str(t, VERSUS_OTHER, other);
        table_int(t, VERSUS_RANKS, x->mine->launch.ranks);
        table_int(t, VERSUS_THREADS, x->mine->launch.threads);
        table_int(t, VERSUS_OTHER_RANKS, x->other->launch.ranks);
        table_int(t, VERSUS_OTHER_THREADS, x->other->launch.threads);
        table_size(t, VERSUS_SIZE, x->shape);
        table_num(t, VERSUS_RATIO, x->ratio.value, SIGNIFICANT);
        table_num(t, VERSUS_LOW, x->ratio.low, SIGNIFICANT);
        table_num(t, VERSUS_HIGH, x->ratio.high, SIGNIFICANT);
        table_num(t, VERSUS_END_TO_END, x->end_to_end, SIGNIFICANT);
        table_num(t, VERSUS_SECONDS, x->mine->estimate.seconds.value, SIGNIFICANT);
        table_num(t, VERSUS_OTHER_SECONDS, x->other->estimate.seconds.value, SIGNIFICANT);
        table_num(t, VERSUS_GOPS, operations / x->mine->estimate.seconds.value, SIGNIFICANT);
        table_num(t, VERSUS_OTHER_GOPS, operations / x->other->estimate.seconds.value, SIGNIFICANT);
        if (i == 0 || x->unit != x[-1].unit || x->other_unit != x[-1].other_unit) {
            compile = text_compile_command(s->run, x->unit);
            other_compile = text_compile_command(s->run, x->other_unit);
        }
        table_str(t, VERSUS_COMPILE, compile);
        table_str(t, VERSUS_OTHER_COMPILE, other_compile);
        table_end_row(t);
    }
}

void rows_efficiency(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct speed *x = &s->board->speed[i];
        if (!isfinite(x->efficiency.value) &&
            (x->launch.nodes <= 1 || !isfinite(x->node_efficiency.value)))
            continue;
        table_str(t, EFFICIENCY_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, EFFICIENCY_TIER, text_tier(s->run, (unsigned)x->unit));
        table_int(t, EFFICIENCY_WORKERS, launch_workers(x->launch));
        table_int(t, EFFICIENCY_RANKS, x->launch.ranks);
        table_int(t, EFFICIENCY_THREADS, x->launch.threads);
        table_int(t, EFFICIENCY_NODES, launch_nodes(x->launch));
        table_int(t, EFFICIENCY_GPUS, tier_gpus(tier_of(s->run, x->unit), x->launch));
        table_size(t, EFFICIENCY_SIZE, x->shape);
        table_num(t, EFFICIENCY_EFFICIENCY, x->efficiency.value, 4);
        table_num(t, EFFICIENCY_LOW, x->efficiency.low, 4);
        table_num(t, EFFICIENCY_HIGH, x->efficiency.high, 4);
        table_num(t, EFFICIENCY_NODE_EFFICIENCY, x->node_efficiency.value, 4);
        table_end_row(t);
    }
}

static void roofline_row(const struct table_source *s, const struct speed *x, double gbs,
                         struct table *t)
{
    const struct roofline r = roofline_speed(s->run, s->results, x, gbs);
    table_str(t, ROOFLINE_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
    table_str(t, ROOFLINE_TIER, text_tier(s->run, (unsigned)x->unit));
    table_int(t, ROOFLINE_RANKS, x->launch.ranks);
    table_int(t, ROOFLINE_THREADS, x->launch.threads);
    table_size(t, ROOFLINE_SIZE, x->shape);
    table_num(t, ROOFLINE_OPERATIONS, r.operations, WHOLE);
    table_num(t, ROOFLINE_BYTES, r.bytes, WHOLE);
    table_num(t, ROOFLINE_INTENSITY, r.intensity, SIGNIFICANT);
    table_num(t, ROOFLINE_GOPS, r.gops, SIGNIFICANT);
    table_num(t, ROOFLINE_PEAK, r.peak, SIGNIFICANT);
    table_num(t, ROOFLINE_BANDWIDTH, r.bandwidth, SIGNIFICANT);
    table_str(t, ROOFLINE_BANDWIDTH_FROM, gbs == BANDWIDTH_MEASURED ? "measured" : "given");
    table_num(t, ROOFLINE_ROOF, r.roof, SIGNIFICANT);
    table_num(t, ROOFLINE_FRACTION, r.fraction, 4);
    table_str(t, ROOFLINE_BOUND, bound_name(r.bound));
    table_end_row(t);
}

void rows_roofline(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct bandwidths *b = roofline_bandwidths(s->run, s->results, &s->board->speed[i]);
        for (unsigned j = 0; j < b->count; j++)
            roofline_row(s, &s->board->speed[i], b->gbs[j], t);
    }
}
