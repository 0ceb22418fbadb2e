#include "proctor/unit_attest.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "build/imports.h"
#include "build/vectors.h"
#include "model/plausible.h"
#include "proctor/attest.h"
#include "rundir/node_file.h"
#include "rundir/paths.h"

void unit_attest_times(const struct unit_job *job, struct unit_result *r, char *too_fast,
                       size_t cap)
{
    const struct node_context *n = job->node;
    struct node_record *node = NULL;
    struct err unread = ERR_INIT;
    char *path = rundir_node(n->run.dir, r->host, r->yardstick), what[200], shape[SHAPE_TEXT];
    double worst = 0;
    too_fast[0] = '\0';
    if (node_record_load(path, &node, &unread) != 0)
        node = NULL;
    else
        node_record_derive(node, NULL, n->run.assignment->performance.precision);
    for (unsigned i = 0; i < r->cases_count; i++) {
        struct case_result *c = &r->cases[i];
        const struct shape s = n->run.cases.item[c->case_index].shape;
        case_result_derive(c, known_times_get(&job->harness->known, s),
                           n->run.assignment->performance.precision);
        const struct plausibility p = plausible_case(job->harness->kernel, node, r, c, s);
        if (p.is == PLAUSIBLE_YES || c->verdict != VERDICT_PASS)
            continue;
        plausible_text(&p, node, c, what, sizeof what);
        shape_format(s, shape);
        if (p.is == PLAUSIBLE_NO) {
            c->verdict = VERDICT_CLOCK_MISMATCH;
            snprintf(c->message, sizeof c->message,
                     "%s: nothing computes that fast, so part of the work was done while the clock "
                     "did not run, or not at all",
                     what);
        } else if (p.rate / p.ceiling > worst) {
            worst = p.rate / p.ceiling;
            snprintf(too_fast, cap, "%s: %s", shape, what);
        }
    }
    node_record_free(node);
    free(path);
}

/* Is the tier about threads, and does nothing in the library start one? */
static bool lacks_threads(const struct tier *t, const struct build *built)
{
    bool asks = false;
    for (unsigned i = 0; i < tier_launch_count(t); i++)
        asks = asks || tier_launch(t, i).threads > 1;
    return asks && !launch_kind_has(t->kind, KIND_RANKS) &&
           !launch_kind_has(t->kind, KIND_DEVICE) && !imports_threads(built->library);
}

/* What a student should know, although nothing is flagged. */
static void remark_technique(const struct unit_job *job, const struct build *built,
                             const struct attest_evidence *e, struct unit_result *r)
{
    if (job->first || job->node->run.plan->submissions[job->unit->submission].is_reference)
        return;
    OWNED char *remarks = attest_remarks(job->tier->attest, e);
    if (*remarks)
        unit_result_remark(r, "%s", remarks);
    if (lacks_threads(job->tier, built))
        unit_result_remark(r,
                           "nothing in %s starts threads: it has neither a parallel region of "
                           "OpenMP nor a call that creates a thread",
                           job->unit->source);
}

void unit_attest(const struct unit_job *job, const struct build *built, const char *too_fast,
                 struct unit_result *r)
{
    /* Without a second input to multiply with, there are only constant factors. 4 x is also a sum.
     */
    struct attest_evidence e = {.sums_suffice = job->harness->kernel->inputs == 1,
                                .profile = &r->profile,
                                .too_fast = *too_fast ? too_fast : NULL,
                                .options = built->options,
                                .outside = built->outside};
    if (r->verdict != VERDICT_PASS || job->selection->case_index >= 0)
        return;
    OWNED struct attest_timed *timed = xcalloc(r->cases_count + 1, sizeof *timed);
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        const struct shape s = job->node->run.cases.item[c->case_index].shape;
        if (!c->samples_count)
            continue;
        timed[e.timed_count++] =
            (struct attest_timed){.launch = c->launch,
                                  .operations = kernel_work(job->harness->kernel, s),
                                  .cores_used = c->cores_used,
                                  .busiest = c->busiest,
                                  .ranks = c->ranks,
                                  .ranks_count = c->ranks_count,
                                  .disturbed = !c->estimate.undisturbed,
                                  .seconds = c->estimate.confirmed ? c->estimate.seconds.value : 0};
    }
    e.timed = timed;
    if (job->tier->attest & ATTEST_SIMD)
        vectors_find(built->library, &e.vectors);
    free(r->evidence);
    r->attested = attest_decide(job->tier->attest, &e, &r->evidence);
    remark_technique(job, built, &e, r);
}
