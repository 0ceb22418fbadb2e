#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/execute_options.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/pipeline.h"
#include "cmd/read_results.h"
#include "cmd/rehearse_report.h"
#include "execute/execute.h"
#include "plan/planner.h"
#include "plan/rehearsal.h"
#include "report/proposal.h"
#include "rundir/paths.h"

enum { KEY_SHOWN = 8 };

struct rehearse_args {
    const struct options *given;
    struct rehearsal_request request;
    struct execute_options execute;
};

/* One of the two runs of a rehearsal: with the mutants, then with the probes of survivors. */
struct stage {
    const bool *which; /* NULL: all mutants */
    bool probes;
};

/* --- a run ------------------------------------------------------------------------------------ */

static char *run_id(const struct rehearsal *h, const struct stage *s)
{
    return xasprintf("rehearse-%s-%.*s%s", h->assignment->name, KEY_SHOWN, h->key,
                     s->probes ? "-reached" : "");
}

/* Make the run, from submissions in a temporary directory. */
static int make_run(const struct rehearse_args *a, const struct rehearsal *h, const struct stage *s,
                    const char *id, struct err *e)
{
    OWNED char *tmp = xasprintf("%s/paragrade-rehearse-XXXXXX", fs_tmpdir());
    OWNED char *dir = NULL;
    if (!mkdtemp(tmp))
        return err_system(e, "%s: cannot create a directory there", fs_tmpdir());
    const struct resume_options execution = execute_stored_options(&a->execute);
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    const struct plan_request plan = {.assignment = a->request.assignment,
                                      .paths = &tmp,
                                      .paths_count = 1,
                                      .tiers = a->request.tiers,
                                      .tiers_count = a->request.tiers_count,
                                      .reports_dir = a->given->reports,
                                      .run_id = id,
                                      .with_reference = true,
                                      .here = true,
                                      .execution = &execution,
                                      .profile = a->given->profile,
                                      .only = {.untimed = true},
                                      .notes = &notes};
    int rc = rehearsal_write(h, s->which, s->probes, tmp, e);
    if (rc == 0)
        rc = plan_create(&plan, &dir, e);
    fs_remove_tree(tmp, NULL);
    return rc;
}

/* Make or continue a run, up to its results. 0; 1: it was stopped, and *status says how; -1. */
static int execute(const struct rehearse_args *a, const struct rehearsal *h, const struct stage *s,
                   struct run *r, struct results *res, int *status, struct err *e)
{
    OWNED char *id = run_id(h, s), *dir = xasprintf("%s/%s", a->given->reports, id),
               *plan = rundir_plan(dir);
    struct pipeline_outcome o = {.busy = false};
    int rc = 0;
    if (!fs_exists(plan))
        rc = make_run(a, h, s, id, e);
    if (rc == 0) {
        OWNED char *path = display_path(dir);
        if (!a->execute.quiet)
            term_print(stderr, 2, "%s: %s\n",
                       s->probes ? "are the survivors reached?" : "run directory", path);
        rc = pipeline_run(dir, &a->execute, VIEW_NONE, &o, e);
    }
    if (rc == 0 && o.busy)
        rc = -1;
    if (rc == 0 && (o.unfinished || o.reference_bad)) {
        *status = pipeline_status(&o, &a->execute, dir);
        rc = 1;
    }
    if (rc == 0)
        rc = run_open(dir, r, e);
    if (rc == 0) {
        rc = read_results(&cmd_rehearse, r, res, e);
        if (rc != 0) {
            results_free(res);
            run_close(r);
        }
    }
    return rc;
}

/* --- the rehearsal ---------------------------------------------------------------------------- */

/* Which survivors do the cases reach at all? */
static int probe(const struct rehearse_args *a, const struct rehearsal *h, enum fate *fate,
                 int *status, struct err *e)
{
    bool *which = xcalloc(h->count, sizeof *which), any = false;
    struct run r;
    struct results res = {0};
    for (size_t i = 0; i < h->count; i++) {
        which[i] = fate[i] == FATE_SURVIVED;
        any = any || which[i];
    }
    const struct stage s = {which, true};
    int rc = any ? execute(a, h, &s, &r, &res, status, e) : 0;
    if (any && rc == 0) {
        rehearse_unreached(h, &r, &res, fate);
        results_free(&res);
        run_close(&r);
    }
    free(which);
    return rc;
}

static int mutants(const struct rehearse_args *a, const struct rehearsal *h, int *status,
                   struct err *e)
{
    const struct stage s = {NULL, false};
    struct run r;
    struct results res = {0};
    int rc = execute(a, h, &s, &r, &res, status, e);
    if (rc != 0)
        return rc;
    OWNED enum fate *fate = rehearse_fates(h, &r, &res);
    rc = probe(a, h, fate, status, e);
    if (rc == 0)
        *status = rehearse_print(h, &r, &res, fate, stdout) ? EXIT_FAILURES : EXIT_OK;
    results_free(&res);
    run_close(&r);
    return rc;
}

/* Curves and node-hours, from a run with times of the reference. */
static int propose(const struct rehearse_args *a, struct err *e)
{
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(results_free) struct results res = {0};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    if (!a->given->timed) {
        term_print(stdout, 2,
                   "\nFor curves and node-hours: paragrade grade --reference -a %s, then this "
                   "command with --run RUN\n",
                   a->request.assignment);
        return 0;
    }
    if (locate_run(a->given->timed, &r, e) != 0)
        return -1;
    if (read_results(&cmd_rehearse, &r, &res, e) != 0)
        return -1;
    score_run(&r, &res, &b);
    proposal_print_curves(&r, &b, stdout);
    proposal_print_hours(&r, &res, (int)a->given->students, stdout);
    return 0;
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    FREED_BY(rehearsal_free) struct rehearsal h = {0};
    struct rehearse_args a = {.given = o,
                              .request = {.assignment = o->assignment,
                                          .profile = o->profile,
                                          .tiers = o->tiers.item,
                                          .tiers_count = o->tiers.count,
                                          .most = (int)o->mutants,
                                          .seed = o->mutant_seed}};
    OWNED char *assignment = NULL;
    int status = EXIT_OK;
    if (o->operands)
        return command_usage(&cmd_rehearse,
                             "rehearse changes the reference and takes no submission: "
                             "leave out '%s'",
                             o->operand[0]);
    int rc = execute_options_make(o, &a.execute, &e);
    if (rc == 0 && !o->assignment) {
        rc = locate_assignment(&assignment, &e);
        a.request.assignment = assignment;
    }
    if (rc == 0)
        rc = rehearsal_make(&a.request, &h, &e);
    if (rc == 0)
        rc = mutants(&a, &h, &status, &e);
    if (rc == 0)
        rc = propose(&a, &e);
    execute_options_free(&a.execute);
    return rc < 0 ? command_error(&cmd_rehearse, &e) : status;
}

const struct command cmd_rehearse = {
    .name = "rehearse",
    .usage = "rehearse [options]",
    .summary = "do the cases of an assignment find mistakes in the reference?",
    .about = "Changes the reference in one place, as a student might: N for K, <= for <, a\n"
             "lost loop. Each changed copy (a mutant) is compiled and runs the correctness\n"
             "cases, as a submission does. Lists the mutants that no case finds. If\n"
             "interrupted, the same command continues.\n",
    .more = "example:\n"
            "  paragrade rehearse -a testcases/gemm-i32.yaml --tier simd --mutants 40 -j 2\n"
            "\n"
            "exit status: 0 every mutant that a case reaches was found, 1 some survived or\n"
            "the reference fails, 2 bad input, 3 interrupted\n",
    .bit = on_rehearse,
    .most = OPERANDS_MANY,
    .run = run,
};
