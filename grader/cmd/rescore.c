#include <stdio.h>
#include <stdlib.h>

#include "base/display_path.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/moves.h"
#include "cmd/options.h"
#include "cmd/read_results.h"
#include "cmd/revise.h"
#include "execute/stop.h"
#include "plan/rescore.h"
#include "report/late_marks.h"
#include "report/report.h"
#include "rundir/revision.h"

/* Write the tables and receipts of a draft, and take its standings. */
static int report_draft(const char *draft, struct standings *is, char **late, struct err *e)
{
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(results_free) struct results res = {0};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    if (run_open(draft, &r, e) != 0)
        return -1;
    int rc = read_results(&cmd_rescore, &r, &res, e);
    if (rc == 0) {
        results_end(&r, &res);
        score_run(&r, &res, &b);
        rc = report_write(&r, &res, &b, NULL, e);
        standings_take(&r, is);
        *late = late_marks(&r);
    }
    return rc;
}

/* 1: the user stopped it before anything was changed. */
static int rescore_opened(const struct options *a, const struct run *r, struct err *e)
{
    FREED_BY(standings_free) struct standings was = {0}, is = {0};
    OWNED char *draft = NULL, *late = NULL;
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    const int made = rescore_make(r, a->assignment, a->overrides, &draft, &notes, e);
    term_print(stderr, 2, "%s", notes.s);
    if (made != 0)
        return -1;
    standings_take(r, &was);
    int rc = execute_stop ? 1 : report_draft(draft, &is, &late, e);
    if (rc == 0 && execute_stop)
        rc = 1;
    if (rc == 0 && !a->dry_run)
        rc = revision_commit(r->dir, draft, e);
    else
        revision_abandon(draft);
    if (rc == 0) {
        OWNED char *path = display_path(r->dir);
        moves_print(&was, &is, stdout);
        term_print(stdout, 2, "%s", late ? late : "");
        fflush(stdout);
        term_print(stderr, 2,
                   a->dry_run ? "nothing was changed in %s (--dry-run)\n"
                              : "tables and receipts: %s\n",
                   path);
    }
    return rc;
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    struct run r;
    if (revise_open(o->run_name, &r, &e) != 0)
        return command_error(&cmd_rescore, &e);
    const int rc = rescore_opened(o, &r, &e);
    const int end = rc < 0 ? command_error(&cmd_rescore, &e) : rc ? revise_stopped(r.dir) : EXIT_OK;
    revise_close(&r);
    return end;
}

const struct command cmd_rescore = {
    .name = "rescore",
    .usage = "rescore [options] [RUN]",
    .summary = "give other points for the results that a run has; nothing is run",
    .about = "Reads the assignment, the overrides and the times of submitted.csv again,\n"
             "computes all points from the stored timed runs, writes tables and receipts, and\n"
             "lists whose points change.\n"
             "An assignment with which units would run differently is refused: that is for\n"
             "`paragrade regrade`.\n",
    .more = "What was replaced stays in RUN/earlier/.\n"
            "\n"
            "example:\n"
            "  paragrade rescore --assignment curved.yaml gemm-i32-20261121-101500\n"
            "\n"
            "exit status: 0 rescored, 1 the machine failed, 2 bad input, 3 interrupted,\n"
            "and nothing was changed\n",
    .bit = on_rescore,
    .runs = RUNS_OF_REPORTS,
    .most = 1,
    .run = run,
};
