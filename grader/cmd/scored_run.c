#include "cmd/scored_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/read_results.h"
#include "report/report.h"
#include "rundir/lock.h"

enum { LOOK_MS = 100, WAIT_MS = 5000 /* for other reports, which take less in general */ };

/* 0: the run is locked; 1 or 2: it can only be read, and e says why. */
static int lock_to_write(const char *dir, bool files_alone, struct err *e)
{
    if (!files_alone && access(dir, W_OK) != 0) {
        err_system(e, "%s: cannot be written to: %s", dir, strerror(errno));
        return 1;
    }
    int rc = run_lock_for_reports(dir, e);
    for (int ms = 0; rc == 2 && ms < WAIT_MS; ms += LOOK_MS) {
        clock_sleep_ms(LOOK_MS);
        rc = run_lock_for_reports(dir, e);
    }
    return rc;
}

static int score(const struct command *c, struct scored_run *x, struct err *e)
{
    if (read_results(c, &x->run, &x->results, e) != 0)
        return -1;
    results_end(&x->run, &x->results);
    score_run(&x->run, &x->results, &x->board);
    return 0;
}

/* The run is locked. */
static int score_and_write(const struct command *c, struct scored_run *x, struct err *e)
{
    /* Somebody may have changed it before. */
    if (run_reopen(&x->run, e) != 0 || score(c, x, e) != 0 || run_lock_check(x->run.dir, e) != 0)
        return -1;
    x->written = true;
    return report_write(&x->run, &x->results, &x->board, &x->similar, e);
}

int scored_run_open(const struct command *c, const char *name, bool files_alone,
                    struct scored_run *x, struct err *e)
{
    struct err why = ERR_INIT;
    *x = (struct scored_run){0};
    if (locate_run(name, &x->run, e) != 0)
        return -1;
    OWNED char *dir = xstrdup(x->run.dir);
    int rc = lock_to_write(dir, files_alone, &why);
    if (rc == 0) {
        rc = score_and_write(c, x, e);
        run_unlock(dir);
    } else if (rc > 0) {
        term_print(stderr, 2, "paragrade %s: no files are written: %s\n", c->name, why.text);
        rc = score(c, x, e);
    } else {
        *e = why;
    }
    if (rc != 0)
        scored_run_close(x);
    return rc;
}

void scored_run_close(struct scored_run *x)
{
    similar_rows_free(x->similar.row, x->similar.count);
    scoreboard_free(&x->board);
    results_free(&x->results);
    run_close(&x->run);
    *x = (struct scored_run){0};
}
