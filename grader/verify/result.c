/* Decide verdicts again from raw times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/strbuf.h"
#include "model/plausible.h"
#include "model/protection.h"
#include "rundir/paths.h"
#include "verify/comparisons.h"

/* "alice.simd case 3 1x4" */
static char *case_name(const struct unit_result *u, const struct case_result *c)
{
    char launch[LAUNCH_TEXT];
    launch_format(c->launch, launch);
    return xasprintf("%s case %d %s", u->unit_id, c->case_index, launch);
}

static void check_case(struct place at, const struct run *r, const struct case_result *c,
                       struct differences *d)
{
    if (c->case_index >= (int)r->cases.count) {
        char index[40];
        snprintf(index, sizeof index, "%d", c->case_index);
        at.field = "case";
        differences_add(d, at, index, "the assignment has fewer");
    }
}

/* Can its times be true? That decides a verdict and a flag. */
static void check_times(const struct run *r, const struct kernel *k, const struct unit_result *u,
                        const char *file, const struct node_record *node, struct differences *d)
{
    char what[200];
    for (unsigned i = 0; !r->plan->sweep && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index >= (int)r->cases.count || !c->samples_count)
            continue;
        const struct plausibility p =
            plausible_case(k, node, u, c, r->cases.item[c->case_index].shape);
        /* On a device, the reason may have been an output that was not finished. */
        const bool wrongly = c->verdict == VERDICT_CLOCK_MISMATCH &&
                             unit_result_computes(u) == ON_CORES && p.ceiling > 0 &&
                             p.is != PLAUSIBLE_NO;
        const bool missed = c->verdict == VERDICT_PASS && p.is == PLAUSIBLE_NO;
        OWNED char *where = case_name(u, c);
        if (p.ceiling > 0)
            plausible_text(&p, node, c, what, sizeof what);
        if (missed || wrongly)
            differences_add(d, (struct place){file, where, "verdict"}, verdict_name(c->verdict),
                            what);
        else if (p.is == PLAUSIBLE_FLAGGED && u->verdict == VERDICT_PASS &&
                 u->attested != ATTESTED_NO)
            differences_add(d, (struct place){file, where, "attested"}, "not flagged", what);
    }
}

static void check_verdict(const struct unit_result *u, const char *file, struct differences *d)
{
    enum verdict worst = VERDICT_PASS;
    for (unsigned i = 0; i < u->cases_count; i++)
        worst = verdict_worse(worst, u->cases[i].verdict);
    if (u->cases_count && worst != u->verdict)
        differences_add(d, (struct place){file, u->unit_id, "verdict"}, verdict_name(u->verdict),
                        verdict_name(worst));
}

/* The smallest case that fails must be a case of the tier, fail like the unit, and be no larger
 * than the case that it was found from. */
static void check_smallest(const struct run *r, const struct tier *t, const struct unit_result *u,
                           const char *file, struct differences *d)
{
    const struct smallest_result *s = &u->smallest;
    const struct case_result *from = unit_result_first_failure(u);
    const struct place at = {file, u->unit_id, "smallest"};
    char size[SHAPE_TEXT];
    if (!s->present)
        return;
    shape_format(s->shape, size);
    if (s->verdict != u->verdict)
        differences_add(d, at, verdict_name(s->verdict), verdict_name(u->verdict));
    if (!shape_allowed(t->shapes, s->shape) || shape_dims(s->shape) != t->kernel->dims)
        differences_add(d, at, size, "no size of this tier");
    if (!from || from->case_index >= (int)r->cases.count)
        return;
    const struct shape *larger = &r->cases.item[from->case_index].shape;
    bool grew = s->launch.ranks > from->launch.ranks || s->launch.threads > from->launch.threads ||
                s->launch.nodes > from->launch.nodes || s->launch.gpus > from->launch.gpus;
    for (int i = 0; i < t->kernel->dims; i++)
        grew = grew || s->shape.dim[i] > larger->dim[i];
    if (grew)
        differences_add(d, at, size, "larger than the case that failed");
}

/* Did a unit run with the protections that the assignment requires? A unit that was only compiled
 * needs only those that a compiler can have. */
static void check_protections(const struct run *r, const struct unit_result *u, const char *file,
                              struct differences *d)
{
    unsigned required = r->plan->unprotected ? 0 : r->assignment->protections;
    if (!u->cases_count)
        required &= protection_of_compilers();
    if (u->protections == PROTECTIONS_UNKNOWN || !(required & ~(unsigned)u->protections))
        return;
    OWNED char *had = protection_text((unsigned)u->protections, " ");
    OWNED char *wanted = protection_text(required, " ");
    differences_add(d, (struct place){file, u->unit_id, "protections"}, *had ? had : "none",
                    wanted);
}

static void check_source(const struct run *r, const struct unit *unit, const struct unit_result *u,
                         struct differences *d)
{
    if (!unit->source || !u->source_hash[0])
        return;
    const char *submission = r->plan->submissions[unit->submission].id;
    char *dir = rundir_sources(r->dir, submission), hash[DIGEST_HEX];
    OWNED char *path = xasprintf("%s/%s", dir, unit->source);
    if (digest_file(path, hash, NULL) != 0)
        snprintf(hash, sizeof hash, "(not a readable file)");
    if (strcmp(hash, u->source_hash) != 0) {
        OWNED char *file = xasprintf("sources/%s/%s", submission, unit->source);
        differences_add(d, (struct place){file, u->unit_id, "source_hash in result.json"},
                        u->source_hash, hash);
    }
    free(dir);
}

void verify_result(const struct run *r, unsigned unit, const struct unit_result *u,
                   const struct node_record *node, struct differences *d)
{
    OWNED char *file = xasprintf("units/%s/result.json", u->unit_id);
    for (unsigned i = 0; i < u->cases_count; i++) {
        OWNED char *where = case_name(u, &u->cases[i]);
        check_case((struct place){file, where, ""}, r, &u->cases[i], d);
    }
    check_times(r, r->assignment->tiers[r->plan->units[unit].tier].kernel, u, file, node, d);
    check_verdict(u, file, d);
    check_smallest(r, &r->assignment->tiers[r->plan->units[unit].tier], u, file, d);
    check_protections(r, u, file, d);
    check_source(r, &r->plan->units[unit], u, d);
}
