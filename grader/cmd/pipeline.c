#include "cmd/pipeline.h"

#include <stdio.h>

#include "base/display_path.h"
#include "base/plural.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/full_disk.h"
#include "cmd/lock_run.h"
#include "cmd/revise.h"
#include "cmd/site_files.h"
#include "execute/execute.h"
#include "execute/local.h"
#include "execute/stop.h"
#include "history/add.h"
#include "report/report.h"
#include "report/score.h"
#include "rundir/lock.h"
#include "rundir/results.h"
#include "rundir/stale_files.h"
#include "slurm/executor.h"

static void count(const struct run *r, const struct results *res, struct pipeline_outcome *out)
{
    out->from_file = r->assignment->kernel_file != NULL;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        enum verdict v = res->unit[i] ? res->unit[i]->verdict : VERDICT_INFRA_ERROR;
        if (verdict_fault(v) == FAULT_INFRA)
            out->infra++;
        else if (r->plan->submissions[u->submission].is_reference)
            out->reference_bad = out->reference_bad || verdict_fault(v) == FAULT_STUDENT;
        else if (verdict_fault(v) == FAULT_STUDENT && v != VERDICT_MISSING)
            out->failed++;
        else if (v == VERDICT_PASS)
            out->passed++;
    }
}

static int print(const struct run *r, const struct results *res, const struct scoreboard *s,
                 size_t similar, enum pipeline_view view, struct err *e)
{
    switch (view) {
    case VIEW_CLASS:
        report_print_class(r, res, s, similar, false, stdout);
        break;
    case VIEW_JSON:
        return report_print_json(r, res, s, stdout, e);
    case VIEW_NONE:
        break;
    }
    return 0;
}

/* All units were executed: collect, score and report. */
static int finish(const struct run *r, enum pipeline_view view, struct pipeline_outcome *out,
                  struct progress *said, struct err *e)
{
    struct results res = {0};
    struct scoreboard board = {0};
    struct err why = ERR_INIT;
    struct similar_list similar = {0};
    progress_update(said, 0, "reading the results");
    int rc = results_collect(r, !out->cut, &res, &why);
    if (rc < 0) {
        *e = why;
        goto out;
    }
    if (rc > 0) /* a damaged result was set aside */
        progress_note(said, "paragrade: %s", why.text);
    for (unsigned i = 0; out->cut && i < res.unit_count; i++)
        if (!res.unit[i])
            results_skip(r, &res, i, PIPELINE_CUT);
    progress_update(said, 0, "writing the tables");
    score_run(r, &res, &board);
    rc = run_lock_check(r->dir, e);
    if (rc == 0)
        rc = report_write(r, &res, &board, &similar, e);
    if (rc != 0)
        goto out;
    stale_files_remove(r, &res);
    if (history_add_to(site_history(), r, &res, &why) != 0)
        progress_note(said, "paragrade: not added to the history: %s", why.text);
    count(r, &res, out);
    progress_end(said);
    rc = print(r, &res, &board, similar.count, view, e);
out:
    similar_rows_free(similar.row, similar.count);
    scoreboard_free(&board);
    results_free(&res);
    return rc;
}

int pipeline_run(const char *dir, const struct execute_options *o, enum pipeline_view view,
                 struct pipeline_outcome *out, struct err *e)
{
    struct run r;
    *out = (struct pipeline_outcome){0};
    /* Before the run is read: it may be changed until then. */
    bool resumable = true;
    int rc = lock_run(dir, e);
    out->busy = rc == 1;
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    rc = run_open(dir, &r, e);
    if (rc != 0)
        goto out;
    resumable = !r.plan->self_test;
    rc = o->slurm ? 0 : revise_check_jobs(&r, false, e);
    if (rc == 0)
        rc = execute_run(&r, o->slurm ? &executor_slurm : &executor_local, o, e);
    out->unfinished = rc == 1;
    out->cut = rc == 2;
    if (rc == 0 || out->cut) {
        struct progress said; /* not in a log: it is over soon */
        progress_start(&said, 0, o->quiet);
        said.quiet = said.quiet || !said.bar;
        rc = finish(&r, view, out, &said, e);
        progress_end(&said);
    }
    run_close(&r);
out:
    run_unlock(dir);
    if (rc < 0)
        full_disk_hint(e, resumable ? dir : NULL);
    return rc < 0 ? -1 : 0;
}

int pipeline_status(const struct pipeline_outcome *out, const struct execute_options *o,
                    const char *dir)
{
    OWNED char *path = display_path(dir);
    int status = EXIT_OK;
    fflush(stdout); /* if both streams go to one file, the tables come first */
    if (out->unfinished) {
        if (execute_stop)
            term_print(
                stderr, 0,
                "stopped before all units had a result; results so far are kept. To continue: "
                "paragrade resume %s\n",
                path);
        /* With --no-wait, leaving the rest to Slurm is no failure. */
        status = execute_stop || o->wait ? EXIT_UNFINISHED : EXIT_OK;
    } else {
        if (out->reference_bad)
            term_print(
                stderr, 0,
                "the reference itself fails, so these grades may be wrong. %s/units.csv shows "
                "its verdicts. Check its sources, %sand this machine with `paragrade doctor`; "
                "then grade again\n",
                path, out->from_file ? "the exercise with `paragrade kernel check`, " : "");
        if (out->infra)
            term_print(
                stderr, 0,
                "%u %s no verdict because the machine%s failed; %s/units.csv "
                "shows the reasons. No points are lost. To run what is left: paragrade resume "
                "%s\n",
                out->infra, plural(out->infra, "unit has", "units have"),
                out->from_file ? ", the cluster or the exercise" : " or the cluster", path, path);
        status = out->infra || out->reference_bad ? EXIT_FAILURES : EXIT_OK;
        if (!o->quiet)
            fprintf(stderr, "tables: %s/*.csv\n", path);
    }
    return status;
}
