/* The tables of what was run and measured: cases, samples, sweep, profile, counters. */
#include <math.h>

#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "report/sweep.h"
#include "report/tables.h"
#include "report/text.h"

/* Rate of a call that took so long. */
static double gops(const struct kernel *k, struct shape shape, double seconds)
{
    return kernel_operations(k, shape) / seconds * 1e-9;
}

/* Median rate of a case; NaN when it was not timed. */
static double case_gops(const struct kernel *k, struct shape shape, const struct case_result *c)
{
    return c->estimate.seconds.n ? gops(k, shape, c->estimate.seconds.value) : (double)NAN;
}

/* An assignment that was changed after the run may have fewer cases. */
static const struct test_case *test_case_of(const struct run *r, const struct case_result *c)
{
    return c->case_index < (int)r->cases.count ? &r->cases.item[c->case_index] : NULL;
}

/* Of a case that failed otherwise, nobody knows how many elements are wrong. */
static void put_mismatch(struct table *t, const struct case_result *c)
{
    const struct mismatch *m = &c->mismatch;
    if (m->present || c->verdict == VERDICT_PASS)
        table_int(t, CASES_WRONG, (long long)m->wrong);
    else
        table_empty(t, CASES_WRONG);
    if (m->present) {
        table_int(t, CASES_ROW, m->row);
        table_int(t, CASES_COL, m->col);
        table_number(t, CASES_EXPECTED, m->expected);
        table_number(t, CASES_GOT, m->got);
    } else {
        table_empty(t, CASES_ROW);
        table_empty(t, CASES_COL);
        table_empty(t, CASES_EXPECTED);
        table_empty(t, CASES_GOT);
    }
}

static void put_times(struct table *t, const struct case_result *c)
{
    if (c->estimate.seconds.n) {
        table_num(t, CASES_SECONDS, c->estimate.seconds.value, SIGNIFICANT);
        table_num(t, CASES_LOW, c->estimate.seconds.low, SIGNIFICANT);
        table_num(t, CASES_HIGH, c->estimate.seconds.high, SIGNIFICANT);
        table_int(t, CASES_SAMPLES, c->samples_count);
        table_yes_no(t, CASES_CONFIRMED, c->estimate.confirmed);
        table_num(t, CASES_TYPICAL, c->estimate.typical, 4);
    } else {
        table_empty(t, CASES_SECONDS);
        table_empty(t, CASES_LOW);
        table_empty(t, CASES_HIGH);
        table_empty(t, CASES_SAMPLES);
        table_empty(t, CASES_CONFIRMED);
        table_empty(t, CASES_TYPICAL);
    }
}

static void case_row(const struct run *r, unsigned unit, const struct case_result *c,
                     struct table *t)
{
    const struct test_case *tc = test_case_of(r, c);
    if (!tc)
        return;
    char seed[24];
    snprintf(seed, sizeof seed, "0x%016llx", (unsigned long long)tc->seed);
    table_str(t, CASES_SUBMISSION, text_submission(r, unit));
    table_str(t, CASES_TIER, text_tier(r, unit));
    table_int(t, CASES_CASE, tc->index);
    table_str(t, CASES_KIND, case_kind_name(tc->kind));
    table_shape(t, CASES_SHAPE, r->assignment->kernel, tc->shape);
    table_str(t, CASES_VALUES, kernel_values_name(r->assignment->kernel, tc->values));
    table_str(t, CASES_SEED, seed);
    table_int(t, CASES_RANKS, c->launch.ranks);
    table_int(t, CASES_THREADS, c->launch.threads);
    table_int(t, CASES_NODES, launch_nodes(c->launch));
    table_int(t, CASES_GPUS,
              tier_gpus(&r->assignment->tiers[r->plan->units[unit].tier], c->launch));
    table_yes_no(t, CASES_STRESS, c->launch_index < 0);
    table_yes_no(t, CASES_OVERSUBSCRIBED, c->oversubscribed);
    table_str(t, CASES_VERDICT, verdict_name(c->verdict));
    table_int(t, CASES_RUNS, c->runs);
    put_mismatch(t, c);
    table_num(t, CASES_ERROR_MAX, c->accuracy.max, 3);
    table_num(t, CASES_ERROR_RMS, c->accuracy.rms, 3);
    put_times(t, c);
    table_num(t, CASES_GOPS, case_gops(r->assignment->kernel, tc->shape, c), SIGNIFICANT);
    table_str(t, CASES_MESSAGE, c->message);
    table_end_row(t);
}

void rows_cases(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++)
            case_row(s->run, i, &u->cases[c], t);
    }
}

static void sample_rows(const struct run *r, unsigned unit, const struct case_result *c,
                        struct table *t)
{
    const struct test_case *tc = test_case_of(r, c);
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    if (!tc)
        return;
    for (unsigned i = 0; i < c->samples_count; i++) {
        const struct sample *x = &c->samples[i];
        table_str(t, SAMPLES_SUBMISSION, text_submission(r, unit));
        table_str(t, SAMPLES_TIER, text_tier(r, unit));
        table_size(t, SAMPLES_SIZE, tc->shape);
        table_shape(t, SAMPLES_SHAPE, r->assignment->kernel, tc->shape);
        table_int(t, SAMPLES_RANKS, c->launch.ranks);
        table_int(t, SAMPLES_THREADS, c->launch.threads);
        table_int(t, SAMPLES_NODES, launch_nodes(c->launch));
        table_int(t, SAMPLES_GPUS, tier_gpus(tier, c->launch));
        table_int(t, SAMPLES_START, x->start);
        table_int(t, SAMPLES_SAMPLE, i);
        table_int(t, SAMPLES_REPS, x->reps);
        table_num(t, SAMPLES_SECONDS, x->unit, 9);
        table_num(t, SAMPLES_GOPS, gops(r->assignment->kernel, tc->shape, x->unit), SIGNIFICANT);
        table_num(t, SAMPLES_YARDSTICK, x->yardstick, 9);
        table_num(t, SAMPLES_YARDSTICK_ALONE, x->alone, 9);
        table_positive(t, SAMPLES_YARDSTICK_OTHER, x->other, 9);
        table_positive(t, SAMPLES_END_TO_END, x->end_to_end, 9);
        table_positive(t, SAMPLES_DEVICE, x->device, 9);
        table_str(t, SAMPLES_KERNEL, tier->kernel->name);
        table_end_row(t);
    }
}

void rows_samples(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++)
            sample_rows(s->run, i, &u->cases[c], t);
    }
}

static void sweep_row(const struct run *r, unsigned unit, const struct unit_result *u,
                      const struct case_result *c, struct table *t)
{
    if (!sweep_case(r, c))
        return;
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    struct shape shape = r->cases.item[c->case_index].shape;
    const struct case_result *best = sweep_best(r, u, shape);
    bool timed = c->estimate.seconds.n > 0;
    OWNED char *point = sweep_point_text(tier, (unsigned)c->point);
    table_str(t, SWEEP_SUBMISSION, text_submission(r, unit));
    table_str(t, SWEEP_SWEEP, tier->name);
    table_str(t, SWEEP_POINT, point);
    table_int(t, SWEEP_RANKS, c->launch.ranks);
    table_int(t, SWEEP_THREADS, c->launch.threads);
    table_int(t, SWEEP_NODES, launch_nodes(c->launch));
    table_int(t, SWEEP_GPUS, tier_gpus(tier, c->launch));
    table_size(t, SWEEP_SIZE, shape);
    table_str(t, SWEEP_VERDICT, verdict_name(c->verdict));
    table_positive(t, SWEEP_SECONDS, timed ? c->estimate.seconds.value : 0, SIGNIFICANT);
    table_positive(t, SWEEP_LOW, timed ? c->estimate.seconds.low : 0, SIGNIFICANT);
    table_positive(t, SWEEP_HIGH, timed ? c->estimate.seconds.high : 0, SIGNIFICANT);
    table_num(t, SWEEP_GOPS, case_gops(r->assignment->kernel, shape, c), SIGNIFICANT);
    table_positive(t, SWEEP_RELATIVE,
                   timed && best ? best->estimate.seconds.value / c->estimate.seconds.value : 0, 4);
    table_yes_no(t, SWEEP_BEST, c == best);
    table_yes_no(t, SWEEP_OVERSUBSCRIBED, c->oversubscribed);
    table_str(t, SWEEP_MESSAGE, c->message);
    table_end_row(t);
}

void rows_sweep(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; s->run->plan->sweep && i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++)
            sweep_row(s->run, i, u, &u->cases[c], t);
    }
}

static void profile_row(const struct run *r, unsigned unit, const struct device_profile *p,
                        unsigned row, struct table *t)
{
    const struct profile_row *x = &p->row[row];
    table_str(t, PROFILE_SUBMISSION, text_submission(r, unit));
    table_str(t, PROFILE_TIER, text_tier(r, unit));
    table_size(t, PROFILE_SIZE, p->shape);
    table_str(t, PROFILE_ACTIVITY, activity_name(x->activity));
    table_str(t, PROFILE_ACTIVITY_NAME, x->name);
    table_int(t, PROFILE_CALLS, (long long)x->calls);
    table_num(t, PROFILE_TOTAL, x->seconds, SIGNIFICANT);
    table_num(t, PROFILE_AVERAGE, x->seconds / (double)x->calls, SIGNIFICANT);
    table_num(t, PROFILE_CALL_MEDIAN, x->median, SIGNIFICANT);
    table_num(t, PROFILE_CALL_MIN, x->min, SIGNIFICANT);
    table_num(t, PROFILE_CALL_MAX, x->max, SIGNIFICANT);
    table_num(t, PROFILE_CALL_STDDEV, x->stddev, SIGNIFICANT);
    table_num(t, PROFILE_SHARE, profile_share(p, row), 4);
    if (x->activity == ACTIVITY_KERNEL) {
        table_positive(t, PROFILE_REGISTERS, x->registers, WHOLE); /* OpenACC does not tell */
        table_num(t, PROFILE_SHARED, x->registers ? x->shared_bytes : NAN, WHOLE);
        table_int(t, PROFILE_BLOCK, x->block_threads);
        table_int(t, PROFILE_GRID, (long long)x->grid_blocks);
        table_positive(t, PROFILE_OCCUPANCY, x->occupancy, 4);
    } else {
        table_empty(t, PROFILE_REGISTERS);
        table_empty(t, PROFILE_SHARED);
        table_empty(t, PROFILE_BLOCK);
        table_empty(t, PROFILE_GRID);
        table_empty(t, PROFILE_OCCUPANCY);
    }
    table_end_row(t);
}

void rows_profile(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        for (unsigned k = 0; u && k < u->profile.count; k++)
            profile_row(s->run, i, &u->profile, k, t);
    }
}

/* A mean: whole where it is large, so that no digit is lost. */
static void put_count(struct table *t, enum column c, double v)
{
    const bool large = v >= 1000;
    table_num(t, c, large ? round(v) : v, large ? WHOLE : SIGNIFICANT);
}

static void counters_row(const struct run *r, unsigned unit, const struct case_result *c,
                         struct table *t)
{
    static const enum column columns[COUNTER_COUNT] = {
#define COUNTER(identifier, name) COUNTERS_##identifier,
#include "model/counters.def"
#undef COUNTER
    };
    const struct test_case *tc = test_case_of(r, c);
    if (!tc || !c->counters.runs)
        return;
    table_str(t, COUNTERS_SUBMISSION, text_submission(r, unit));
    table_str(t, COUNTERS_TIER, text_tier(r, unit));
    table_int(t, COUNTERS_RANKS, c->launch.ranks);
    table_int(t, COUNTERS_THREADS, c->launch.threads);
    table_size(t, COUNTERS_SIZE, tc->shape);
    for (int i = 0; i < COUNTER_COUNT; i++)
        put_count(t, columns[i], c->counters.value[i]);
    table_str(t, COUNTERS_REASON, c->counters.reason);
    table_end_row(t);
}

void rows_counters(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++)
            counters_row(s->run, i, &u->cases[c], t);
    }
}
