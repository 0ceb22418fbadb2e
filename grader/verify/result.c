/* From raw samples to intervals and verdict, once more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "model/plausible.h"
#include "model/protection.h"
#include "model/summary.h"
#include "rundir/paths.h"
#include "verify/parts.h"

/* What a node record stores is a product of what was measured; it need not be exact to the bit. */
static const double ROUNDING = 1e-9;

static void number(double v, char out[40])
{
    if (isnan(v))
        snprintf(out, 40, "none");
    else
        snprintf(out, 40, "%.17g", v);
}

struct spot {
    struct verification *v;
    const char *file, *where;
};

static void same_number(const struct spot *at, const char *what, const char *part, double recorded,
                        double recomputed, double tolerance)
{
    if ((isnan(recorded) && isnan(recomputed)) ||
        fabs(recorded - recomputed) <= tolerance * fabs(recomputed))
        return;
    char *field = xasprintf("%s%s%s", what, *part ? "." : "", part), a[40], b[40];
    number(recorded, a);
    number(recomputed, b);
    verify_differs(at->v, at->file, at->where, field, a, b);
    free(field);
}

static void same_interval(const struct spot *at, const char *what, struct interval recorded,
                          struct interval recomputed)
{
    same_number(at, what, "median", recorded.median, recomputed.median, 0);
    same_number(at, what, "low", recorded.low, recomputed.low, 0);
    same_number(at, what, "high", recorded.high, recomputed.high, 0);
    same_number(at, what, "n", (double)recorded.n, (double)recomputed.n, 0);
}

/* node: that the case ran on; NULL when unknown. */
static void check_case(const struct spot *at, const struct case_result *c, struct shape shape,
                       const struct node_record *node, double precision)
{
    /* Of a case that failed while it was timed, the samples are not kept: nothing counts. */
    if (!c->samples_count && c->verdict != VERDICT_PASS)
        return;
    const struct calibration *known = node_calibration(node, shape);
    struct summary s = summary_of(c->samples, c->samples_count, c->yard_expected, precision);
    if (c->samples_count && known)
        same_number(at, "pace", "", c->yard_expected, known->yardstick.median, 0);
    same_interval(at, "seconds", c->seconds, s.seconds);
    same_interval(at, "relative", c->relative, s.relative);
    same_interval(at, "end_to_end", c->end_to_end, s.end_to_end);
    if (c->precise != s.precise)
        verify_differs(at->v, at->file, at->where, "precise", c->precise ? "true" : "false",
                       s.precise ? "true" : "false");
}

/* Whether its times can be true: that decides a verdict, and a flag. */
static void check_times(const struct run *r, const struct unit_result *u, const char *file,
                        const struct node_record *node, struct verification *v)
{
    const struct kernel *k = kernel_find(r->assignment->kernel, r->assignment->type);
    char what[200];
    for (unsigned i = 0; k && !r->plan->sweep && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index >= (int)r->cases.count || !c->samples_count)
            continue;
        const struct plausibility p =
            plausible_case(k, node, u, c, r->cases.item[c->case_index].shape);
        /* Of a device, its own clock may have been the reason. */
        const bool wrongly = c->verdict == VERDICT_CLOCK_MISMATCH && !u->device[0] &&
                             p.ceiling > 0 && p.is != PLAUSIBLE_NO;
        const bool missed = c->verdict == VERDICT_PASS && p.is == PLAUSIBLE_NO;
        char *where = xasprintf("%s case %d %dx%d", u->unit_id, c->case_index, c->launch.ranks,
                                c->launch.threads);
        if (p.ceiling > 0)
            plausible_text(&p, node, c, what, sizeof what);
        if (missed || wrongly)
            verify_differs(v, file, where, "verdict", verdict_name(c->verdict), what);
        else if (p.is == PLAUSIBLE_DOUBTFUL && u->verdict == VERDICT_PASS &&
                 u->attested != ATTESTED_NO)
            verify_differs(v, file, where, "attested", "not flagged", what);
        free(where);
    }
}

static void check_verdict(const struct unit_result *u, const char *file, struct verification *v)
{
    enum verdict worst = VERDICT_PASS;
    for (unsigned i = 0; i < u->cases_count; i++)
        worst = verdict_worse(worst, u->cases[i].verdict);
    if (u->cases_count && worst != u->verdict)
        verify_differs(v, file, u->unit_id, "verdict", verdict_name(u->verdict),
                       verdict_name(worst));
}

/* Had a unit what the assignment requires? A compiler cannot have all that a driver can. */
static void check_protections(const struct run *r, const struct unit_result *u, const char *file,
                              struct verification *v)
{
    unsigned required = r->plan->unprotected ? 0 : r->assignment->protections;
    if (!u->cases_count)
        required &= protection_of_compilers();
    if (u->protections == PROTECTIONS_UNKNOWN || !(required & ~(unsigned)u->protections))
        return;
    char *had = protection_text((unsigned)u->protections, " ");
    char *wanted = protection_text(required, " ");
    verify_differs(v, file, u->unit_id, "protections", *had ? had : "none", wanted);
    free(had);
    free(wanted);
}

static void check_source(const struct run *r, const struct unit *unit, const struct unit_result *u,
                         struct verification *v)
{
    if (!unit->source || !u->source_hash[0])
        return;
    const char *submission = r->plan->submissions[unit->submission].id;
    char *dir = rundir_sources(r->dir, submission), hash[HASH_HEX];
    char *path = xasprintf("%s/%s", dir, unit->source);
    if (hash_file(path, hash, NULL) != 0)
        snprintf(hash, sizeof hash, "(not a readable file)");
    if (strcmp(hash, u->source_hash) != 0) {
        char *file = xasprintf("sources/%s/%s", submission, unit->source);
        verify_differs(v, file, u->unit_id, "source_hash in result.json", u->source_hash, hash);
        free(file);
    }
    free(path);
    free(dir);
}

void verify_result(const struct run *r, unsigned unit, const struct unit_result *u,
                   const struct node_record *node, struct verification *v)
{
    char *file = xasprintf("units/%s/result.json", u->unit_id);
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        char *where = xasprintf("%s case %d %dx%d", u->unit_id, c->case_index, c->launch.ranks,
                                c->launch.threads);
        const struct spot at = {v, file, where};
        bool there = c->case_index < (int)r->cases.count;
        if (!there) {
            char number[40];
            snprintf(number, sizeof number, "%d", c->case_index);
            verify_differs(v, file, where, "case", number, "the assignment has fewer");
        }
        check_case(&at, c, there ? r->cases.item[c->case_index].shape : (struct shape){0},
                   there ? node : NULL, r->assignment->performance.precision);
        free(where);
    }
    check_times(r, u, file, node, v);
    check_verdict(u, file, v);
    check_protections(r, u, file, v);
    check_source(r, &r->plan->units[unit], u, v);
    free(file);
}

void verify_node(const struct node_record *n, struct verification *v)
{
    char *file = xasprintf("nodes/%s.%s.json", n->host, n->yardstick);
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        char where[SHAPE_TEXT];
        shape_format(c->shape, where);
        const struct spot at = {v, file, where};
        const struct interval ratio = stats_over(c->baseline, c->yardstick);
        same_number(&at, "ratio", "median", c->ratio.median, ratio.median, ROUNDING);
        same_number(&at, "ratio", "low", c->ratio.low, ratio.low, ROUNDING);
        same_number(&at, "ratio", "high", c->ratio.high, ratio.high, ROUNDING);
    }
    free(file);
}
