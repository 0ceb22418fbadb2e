/* The tables of what the results are worth: units, speed-up, efficiency, grades. */
#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "report/receipt.h"
#include "report/tables.h"
#include "report/text.h"

static void put_protections(struct table *t, int set)
{
    char *names = protection_text(set == PROTECTIONS_UNKNOWN ? 0 : (unsigned)set, " ");
    table_str(t, UNITS_PROTECTIONS, set == 0 ? "none" : names);
    free(names);
}

static void unit_row(const struct table_source *s, unsigned unit, struct table *t)
{
    const struct unit_result *u = s->results->unit[unit];
    const struct unit_score *score = &s->board->unit[unit];
    const char *source = s->run->plan->units[unit].source;
    table_str(t, UNITS_SUBMISSION, text_submission(s->run, unit));
    table_str(t, UNITS_TIER, text_tier(s->run, unit));
    table_str(t, UNITS_VERDICT, verdict_name(u->verdict));
    table_num(t, UNITS_POINTS, score->correct_points + score->speed_points, SIGNIFICANT);
    table_num(t, UNITS_MAX_POINTS, score->max_points, SIGNIFICANT);
    table_int(t, UNITS_CASES_PASSED, score->cases_passed);
    table_int(t, UNITS_CASES_TOTAL, score->cases_total);
    table_str(t, UNITS_NODE, u->host);
    table_str(t, UNITS_JOB, u->job);
    table_int(t, UNITS_CORES, u->cores);
    table_str(t, UNITS_DEVICE, u->device);
    table_str(t, UNITS_YARDSTICK, u->yardstick);
    table_int(t, UNITS_RETRIES, s->results->attempts[unit]);
    table_str(t, UNITS_STARTED, u->started);
    table_num(t, UNITS_BUILD_SECONDS, u->build_seconds, 4);
    table_num(t, UNITS_TOTAL_SECONDS, u->total_seconds, 4);
    table_num(t, UNITS_PEAK_MEMORY, u->peak_memory, 12);
    table_str(t, UNITS_SOURCE, source ? source : "");
    table_str(t, UNITS_SOURCE_HASH, u->source_hash);
    table_str(t, UNITS_COMPILER, u->compiler);
    put_protections(t, u->protections);
    if (u->attested == ATTESTED_UNKNOWN)
        table_empty(t, UNITS_ATTESTED);
    else
        table_yes_no(t, UNITS_ATTESTED, u->attested == ATTESTED_YES);
    table_str(t, UNITS_EVIDENCE, u->evidence);
    table_str(t, UNITS_MESSAGE, u->message);
    table_end_row(t);
}

void rows_units(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++)
        if (s->results->unit[i])
            unit_row(s, i, t);
}

void rows_speedup(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct speed *x = &s->board->speed[i];
        char size[SHAPE_TEXT];
        shape_format(x->shape, size);
        table_str(t, SPEEDUP_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, SPEEDUP_TIER, text_tier(s->run, (unsigned)x->unit));
        table_int(t, SPEEDUP_RANKS, x->launch.ranks);
        table_int(t, SPEEDUP_THREADS, x->launch.threads);
        table_str(t, SPEEDUP_SIZE, size);
        table_num(t, SPEEDUP_SECONDS, x->seconds.median, SIGNIFICANT);
        table_positive(t, SPEEDUP_END_TO_END, x->end_to_end.n ? x->end_to_end.median : 0,
                       SIGNIFICANT);
        table_num(t, SPEEDUP_GOPS, x->gops, SIGNIFICANT);
        table_num(t, SPEEDUP_PEAK_SHARE, x->peak_share, 4);
        table_num(t, SPEEDUP_SPEEDUP, x->speedup.median, SIGNIFICANT);
        table_num(t, SPEEDUP_LOW, x->speedup.low, SIGNIFICANT);
        table_num(t, SPEEDUP_HIGH, x->speedup.high, SIGNIFICANT);
        table_num(t, SPEEDUP_FRACTION, x->fraction.median, 4);
        table_yes_no(t, SPEEDUP_GRADED, x->graded);
        table_end_row(t);
    }
}

void rows_efficiency(const struct table_source *s, struct table *t)
{
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct speed *x = &s->board->speed[i];
        if (!isfinite(x->efficiency.median))
            continue;
        char size[SHAPE_TEXT];
        shape_format(x->shape, size);
        table_str(t, EFFICIENCY_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, EFFICIENCY_TIER, text_tier(s->run, (unsigned)x->unit));
        table_int(t, EFFICIENCY_WORKERS, (long long)x->launch.ranks * x->launch.threads);
        table_int(t, EFFICIENCY_RANKS, x->launch.ranks);
        table_int(t, EFFICIENCY_THREADS, x->launch.threads);
        table_str(t, EFFICIENCY_SIZE, size);
        table_num(t, EFFICIENCY_EFFICIENCY, x->efficiency.median, 4);
        table_num(t, EFFICIENCY_LOW, x->efficiency.low, 4);
        table_num(t, EFFICIENCY_HIGH, x->efficiency.high, 4);
        table_end_row(t);
    }
}

/* NaN when the tier was not part of the run, or did not count: the field is empty then. */
static double tier_points(const struct table_source *s, unsigned submission, unsigned tier)
{
    const struct plan *p = s->run->plan;
    double points = NAN;
    for (unsigned i = 0; i < p->units_count; i++)
        if (p->units[i].submission == (int)submission && p->units[i].tier == (int)tier &&
            s->board->unit[i].counted)
            points = s->board->unit[i].correct_points + s->board->unit[i].speed_points;
    return points;
}

/* Units that neither earned nor lost points, and why: for the person who enters the grade. */
static char *grade_note(const struct table_source *s, unsigned submission)
{
    const struct plan *p = s->run->plan;
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < p->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        if (p->units[i].submission != (int)submission || s->board->unit[i].counted)
            continue;
        const char *why = s->board->unit[i].not_gradable;
        if (!why)
            why = u ? verdict_name(u->verdict) : "not run yet";
        strbuf_addf(&sb, "%s%s: %s", sb.len ? "; " : "", text_tier(s->run, i), why);
    }
    return strbuf_detach(&sb);
}

/* Between its first and its last columns, the table has one column of points per tier. */
void rows_grades(const struct table_source *s, struct table *t)
{
    const struct plan *p = s->run->plan;
    const struct assignment *a = s->run->assignment;
    size_t *tier_column = xcalloc(a->tiers_count + 1, sizeof *tier_column);
    for (unsigned k = 0; k < a->tiers_count; k++)
        tier_column[k] = csv_out_column(t->csv, a->tiers[k].name);
    table_add_columns(t, GRADES_END);
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const struct submission_score *score = &s->board->submission[i];
        if (p->submissions[i].is_reference)
            continue;
        double percent = score->max_points > 0 ? 100 * score->points / score->max_points : NAN;
        char *note = grade_note(s, i);
        table_str(t, GRADES_ID, p->submissions[i].id);
        table_str(t, GRADES_NAME, p->submissions[i].name);
        for (unsigned k = 0; k < a->tiers_count; k++)
            csv_out_num(t->csv, tier_column[k], tier_points(s, i, k), SIGNIFICANT);
        table_num(t, GRADES_END_TOTAL, score->points, SIGNIFICANT);
        table_num(t, GRADES_END_MAX, score->max_points, SIGNIFICANT);
        table_num(t, GRADES_END_PERCENT, percent, 4);
        table_int(t, GRADES_END_UNCOUNTED, score->uncounted);
        table_str(t, GRADES_END_NOTE, note);
        table_str(t, GRADES_END_RECEIPT, receipt_of(s->receipts, i));
        table_end_row(t);
        free(note);
    }
    free(tier_column);
}
