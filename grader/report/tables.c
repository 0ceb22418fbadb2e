/* The CSV reports: one function per table, columns in the order of report/columns.def. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/sweep.h"
#include "rundir/paths.h"

enum table {
    UNITS,
    CASES,
    SAMPLES,
    SPEEDUP,
    EFFICIENCY,
    SCALING,
    SWEEP,
    PROFILE,
    GRADES,
    GRADES_END
};

static const struct {
    enum table table;
    const char *name;
} columns[] = {
#define COLUMN(table, identifier, name) {table, name},
#include "report/columns.def"
#undef COLUMN
};

const char *const report_tables[] = {"units.csv",      "cases.csv",   "samples.csv", "speedup.csv",
                                     "efficiency.csv", "scaling.csv", "sweep.csv",   "profile.csv",
                                     "grades.csv",     NULL};

enum { SIGNIFICANT = 6 };

static void header(struct csv_out *o, enum table table)
{
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (columns[i].table == table)
            csv_out_str(o, columns[i].name);
}

static struct csv_out *begin(enum table table)
{
    struct csv_out *o = csv_out_new();
    header(o, table);
    csv_out_end_row(o);
    return o;
}

static int end(const struct run *r, struct csv_out *o, const char *file, struct err *e)
{
    char *path = rundir_report(r->dir, file);
    int rc = csv_out_close(o, path, e);
    free(path);
    return rc;
}

static void yes_no(struct csv_out *o, bool v)
{
    csv_out_str(o, v ? "yes" : "no");
}

static void empty(struct csv_out *o, int fields)
{
    while (fields-- > 0)
        csv_out_str(o, "");
}

/* A quantity for which 0 means that there is none. */
static void known(struct csv_out *o, double v, int digits)
{
    csv_out_num(o, v > 0 ? v : (double)NAN, digits);
}

static const char *submission_id(const struct run *r, int unit)
{
    return r->plan->submissions[r->plan->units[unit].submission].id;
}

static const char *tier_name(const struct run *r, int unit)
{
    return r->assignment->tiers[r->plan->units[unit].tier].name;
}

static void unit_key(const struct run *r, struct csv_out *o, int unit)
{
    csv_out_str(o, submission_id(r, unit));
    csv_out_str(o, tier_name(r, unit));
}

static void put_protections(struct csv_out *o, int set)
{
    char *names = protection_text(set == PROTECTIONS_UNKNOWN ? 0 : (unsigned)set, " ");
    csv_out_str(o, set == 0 ? "none" : names);
    free(names);
}

static int write_units(const struct run *r, const struct results *res, const struct scoreboard *b,
                       struct err *e)
{
    struct csv_out *o = begin(UNITS);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        const struct unit_score *s = &b->unit[i];
        if (!u)
            continue;
        unit_key(r, o, (int)i);
        csv_out_str(o, verdict_name(u->verdict));
        csv_out_num(o, s->correct_points + s->speed_points, SIGNIFICANT);
        csv_out_num(o, s->max_points, SIGNIFICANT);
        csv_out_int(o, s->cases_passed);
        csv_out_int(o, s->cases_total);
        csv_out_str(o, u->host);
        csv_out_str(o, u->job);
        csv_out_int(o, u->cores);
        csv_out_str(o, u->device);
        csv_out_str(o, u->yardstick);
        csv_out_int(o, res->attempts[i]);
        csv_out_str(o, u->started);
        csv_out_num(o, u->build_seconds, 4);
        csv_out_num(o, u->total_seconds, 4);
        csv_out_num(o, u->peak_memory, 12);
        csv_out_str(o, r->plan->units[i].source ? r->plan->units[i].source : "");
        csv_out_str(o, u->source_hash);
        csv_out_str(o, u->compiler);
        put_protections(o, u->protections);
        if (u->attested == ATTESTED_UNKNOWN)
            csv_out_str(o, "");
        else
            yes_no(o, u->attested == ATTESTED_YES);
        csv_out_str(o, u->evidence);
        csv_out_str(o, u->message);
        csv_out_end_row(o);
    }
    return end(r, o, "units.csv", e);
}

static void case_row(const struct run *r, struct csv_out *o, int unit, const struct case_result *c,
                     const struct kernel *k)
{
    const struct test_case *t = &r->cases.item[c->case_index];
    unit_key(r, o, unit);
    csv_out_int(o, t->index);
    csv_out_str(o, case_kind_name(t->kind));
    csv_out_int(o, t->shape.m);
    csv_out_int(o, t->shape.n);
    csv_out_int(o, t->shape.k);
    csv_out_str(o, value_dist_name(t->values));
    char *seed = xasprintf("0x%016llx", (unsigned long long)t->seed);
    csv_out_str(o, seed);
    free(seed);
    csv_out_int(o, c->launch.ranks);
    csv_out_int(o, c->launch.threads);
    yes_no(o, c->launch_index < 0);
    yes_no(o, c->oversubscribed);
    csv_out_str(o, verdict_name(c->verdict));
    csv_out_int(o, c->runs);
    if (c->mismatch.present) {
        csv_out_int(o, (long long)c->mismatch.wrong);
        csv_out_int(o, c->mismatch.row);
        csv_out_int(o, c->mismatch.col);
        csv_out_int(o, c->mismatch.expected);
        csv_out_int(o, c->mismatch.got);
    } else {
        csv_out_int(o, 0);
        empty(o, 4);
    }
    if (c->seconds.n) {
        csv_out_num(o, c->seconds.median, SIGNIFICANT);
        csv_out_num(o, c->seconds.low, SIGNIFICANT);
        csv_out_num(o, c->seconds.high, SIGNIFICANT);
        csv_out_int(o, c->samples_count);
        yes_no(o, c->precise);
        csv_out_num(o, k ? k->operations(t->shape) / c->seconds.median * 1e-9 : (double)NAN,
                    SIGNIFICANT);
    } else {
        empty(o, 6);
    }
    csv_out_str(o, c->message);
    csv_out_end_row(o);
}

static int write_cases(const struct run *r, const struct results *res, struct err *e)
{
    const struct kernel *k = kernel_find(r->assignment->kernel, r->assignment->type);
    struct csv_out *o = begin(CASES);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++)
            if (u->cases[c].case_index < (int)r->cases.count)
                case_row(r, o, (int)i, &u->cases[c], k);
    }
    return end(r, o, "cases.csv", e);
}

static int write_samples(const struct run *r, const struct results *res, struct err *e)
{
    struct csv_out *o = begin(SAMPLES);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++) {
            const struct case_result *cr = &u->cases[c];
            if (cr->case_index >= (int)r->cases.count)
                continue;
            char size[SHAPE_TEXT];
            shape_format(r->cases.item[cr->case_index].shape, size);
            for (unsigned k = 0; k < cr->samples_count; k++) {
                const struct sample *s = &cr->samples[k];
                unit_key(r, o, (int)i);
                csv_out_str(o, size);
                csv_out_int(o, cr->launch.ranks);
                csv_out_int(o, cr->launch.threads);
                csv_out_int(o, s->process);
                csv_out_int(o, k);
                csv_out_int(o, s->reps);
                csv_out_num(o, s->seconds, 9);
                csv_out_num(o, s->yardstick, 9);
                known(o, s->end_to_end, 9);
                known(o, s->device, 9);
                csv_out_num(o, s->waited, 4);
                yes_no(o, s->disturbed);
                csv_out_end_row(o);
            }
        }
    }
    return end(r, o, "samples.csv", e);
}

static int write_speedup(const struct run *r, const struct scoreboard *b, struct err *e)
{
    struct csv_out *o = begin(SPEEDUP);
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        char size[SHAPE_TEXT];
        shape_format(s->shape, size);
        unit_key(r, o, s->unit);
        csv_out_int(o, s->launch.ranks);
        csv_out_int(o, s->launch.threads);
        csv_out_str(o, size);
        csv_out_num(o, s->seconds.median, SIGNIFICANT);
        known(o, s->end_to_end.n ? s->end_to_end.median : 0, SIGNIFICANT);
        csv_out_num(o, s->gops, SIGNIFICANT);
        csv_out_num(o, s->peak_share, 4);
        csv_out_num(o, s->speedup.median, SIGNIFICANT);
        csv_out_num(o, s->speedup.low, SIGNIFICANT);
        csv_out_num(o, s->speedup.high, SIGNIFICANT);
        csv_out_num(o, s->fraction.median, 4);
        yes_no(o, s->graded);
        csv_out_end_row(o);
    }
    return end(r, o, "speedup.csv", e);
}

static int write_efficiency(const struct run *r, const struct scoreboard *b, struct err *e)
{
    struct csv_out *o = begin(EFFICIENCY);
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        if (!isfinite(s->efficiency.median))
            continue;
        char size[SHAPE_TEXT];
        shape_format(s->shape, size);
        unit_key(r, o, s->unit);
        csv_out_int(o, (long long)s->launch.ranks * s->launch.threads);
        csv_out_int(o, s->launch.ranks);
        csv_out_int(o, s->launch.threads);
        csv_out_str(o, size);
        csv_out_num(o, s->efficiency.median, 4);
        csv_out_num(o, s->efficiency.low, 4);
        csv_out_num(o, s->efficiency.high, 4);
        csv_out_end_row(o);
    }
    return end(r, o, "efficiency.csv", e);
}

/* The whole grid of launches, oversubscribed ones (which are not timed) included. */
static int write_scaling(const struct run *r, const struct results *res, struct err *e)
{
    const struct kernel *k = kernel_find(r->assignment->kernel, r->assignment->type);
    struct csv_out *o = begin(SCALING);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        for (unsigned c = 0; u && c < u->cases_count; c++) {
            const struct case_result *cr = &u->cases[c];
            if (cr->launch_index < 0 || cr->case_index >= (int)r->cases.count ||
                r->cases.item[cr->case_index].kind != CASE_PERFORMANCE)
                continue;
            struct shape shape = r->cases.item[cr->case_index].shape;
            char size[SHAPE_TEXT];
            shape_format(shape, size);
            unit_key(r, o, (int)i);
            csv_out_str(o, size);
            csv_out_int(o, cr->launch.ranks);
            csv_out_int(o, cr->launch.threads);
            csv_out_num(o, cr->seconds.n ? cr->seconds.median : (double)NAN, SIGNIFICANT);
            csv_out_num(o,
                        cr->seconds.n && k ? k->operations(shape) / cr->seconds.median * 1e-9
                                           : (double)NAN,
                        SIGNIFICANT);
            yes_no(o, cr->oversubscribed);
            csv_out_end_row(o);
        }
    }
    return end(r, o, "scaling.csv", e);
}

static int write_sweep(const struct run *r, const struct results *res, struct err *e)
{
    const struct kernel *k = kernel_find(r->assignment->kernel, r->assignment->type);
    struct csv_out *o = begin(SWEEP);
    for (unsigned i = 0; r->plan->sweep && i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        const struct tier *t = &r->assignment->tiers[r->plan->units[i].tier];
        for (unsigned n = 0; u && n < u->cases_count; n++) {
            const struct case_result *c = &u->cases[n];
            if (!sweep_case(r, c))
                continue;
            struct shape shape = r->cases.item[c->case_index].shape;
            const struct case_result *best = sweep_best(r, u, shape);
            char size[SHAPE_TEXT], *point = sweep_point_text(t, (unsigned)c->point);
            shape_format(shape, size);
            unit_key(r, o, (int)i);
            csv_out_str(o, point);
            csv_out_int(o, c->launch.ranks);
            csv_out_int(o, c->launch.threads);
            csv_out_str(o, size);
            csv_out_str(o, verdict_name(c->verdict));
            known(o, c->seconds.n ? c->seconds.median : 0, SIGNIFICANT);
            known(o, c->seconds.n ? c->seconds.low : 0, SIGNIFICANT);
            known(o, c->seconds.n ? c->seconds.high : 0, SIGNIFICANT);
            known(o, c->seconds.n && k ? k->operations(shape) / c->seconds.median * 1e-9 : 0,
                  SIGNIFICANT);
            known(o, c->seconds.n && best ? best->seconds.median / c->seconds.median : 0, 4);
            yes_no(o, c == best);
            yes_no(o, c->oversubscribed);
            csv_out_str(o, c->message);
            csv_out_end_row(o);
            free(point);
        }
    }
    return end(r, o, "sweep.csv", e);
}

static void profile_rows(const struct run *r, struct csv_out *o, int unit,
                         const struct device_profile *p)
{
    char size[SHAPE_TEXT];
    shape_format(p->shape, size);
    for (unsigned i = 0; i < p->count; i++) {
        const struct profile_row *x = &p->row[i];
        unit_key(r, o, unit);
        csv_out_str(o, size);
        csv_out_str(o, activity_name(x->activity));
        csv_out_str(o, x->name);
        csv_out_int(o, (long long)x->calls);
        csv_out_num(o, x->seconds, SIGNIFICANT);
        csv_out_num(o, x->seconds / (double)x->calls, SIGNIFICANT);
        csv_out_num(o, profile_share(p, i), 4);
        if (x->activity == ACTIVITY_KERNEL) {
            csv_out_int(o, x->registers);
            csv_out_int(o, x->shared_bytes);
            csv_out_int(o, x->block_threads);
            csv_out_int(o, (long long)x->grid_blocks);
            csv_out_num(o, x->occupancy, 4);
        } else {
            empty(o, 5);
        }
        csv_out_end_row(o);
    }
}

static int write_profile(const struct run *r, const struct results *res, struct err *e)
{
    struct csv_out *o = begin(PROFILE);
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (res->unit[i])
            profile_rows(r, o, (int)i, &res->unit[i]->profile);
    return end(r, o, "profile.csv", e);
}

/* Units that neither earned nor lost points, and why: for the person who enters the grade. */
static char *grade_note(const struct run *r, const struct results *res, const struct scoreboard *b,
                        int submission)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        if (r->plan->units[i].submission != submission || b->unit[i].counted)
            continue;
        strbuf_addf(&sb, "%s%s: %s", sb.len ? "; " : "", tier_name(r, (int)i),
                    res->unit[i] ? verdict_name(res->unit[i]->verdict) : "not run yet");
    }
    return strbuf_detach(&sb);
}

static int write_grades(const struct run *r, const struct results *res, const struct scoreboard *b,
                        const json_t *receipts, struct err *e)
{
    const struct plan *p = r->plan;
    struct csv_out *o = csv_out_new();
    header(o, GRADES);
    for (unsigned t = 0; t < r->assignment->tiers_count; t++)
        csv_out_str(o, r->assignment->tiers[t].name);
    header(o, GRADES_END);
    csv_out_end_row(o);
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const struct submission_score *s = &b->submission[i];
        if (p->submissions[i].is_reference)
            continue;
        csv_out_str(o, p->submissions[i].id);
        csv_out_str(o, p->submissions[i].name);
        for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
            double points = NAN; /* empty: the tier was not part of the run, or did not count */
            for (unsigned u = 0; u < p->units_count; u++)
                if (p->units[u].submission == (int)i && p->units[u].tier == (int)t &&
                    b->unit[u].counted)
                    points = b->unit[u].correct_points + b->unit[u].speed_points;
            csv_out_num(o, points, SIGNIFICANT);
        }
        csv_out_num(o, s->points, SIGNIFICANT);
        csv_out_num(o, s->max_points, SIGNIFICANT);
        csv_out_num(o, s->max_points > 0 ? 100 * s->points / s->max_points : (double)NAN, 4);
        csv_out_int(o, s->uncounted);
        char *note = grade_note(r, res, b, (int)i);
        csv_out_str(o, note);
        free(note);
        csv_out_str(o, receipt_of(receipts, i));
        csv_out_end_row(o);
    }
    return end(r, o, "grades.csv", e);
}

int report_write_tables(const struct run *r, const struct results *res, const struct scoreboard *b,
                        const json_t *receipts, struct err *e)
{
    if (write_units(r, res, b, e) != 0 || write_cases(r, res, e) != 0 ||
        write_samples(r, res, e) != 0 || write_speedup(r, b, e) != 0 ||
        write_efficiency(r, b, e) != 0 || write_scaling(r, res, e) != 0 ||
        write_sweep(r, res, e) != 0 || write_profile(r, res, e) != 0 ||
        write_grades(r, res, b, receipts, e) != 0)
        return -1;
    return 0;
}

int report_write(const struct run *r, const struct results *res, const struct scoreboard *b,
                 struct err *e)
{
    json_t *receipts;
    if (receipt_make(r, res, b, NULL, &receipts, e) != 0)
        return -1;
    int rc = report_write_tables(r, res, b, receipts, e);
    if (rc == 0) {
        receipt_add_files(receipts, receipt_files(r->dir));
        rc = receipt_save(r->dir, receipts, e);
    }
    json_decref(receipts);
    return rc;
}
