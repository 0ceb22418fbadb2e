/*
 * Everything is computed again from the evidence and compared with what is in the run directory:
 * results are read, intervals are computed from raw times, points are given, tables and receipts
 * are written into a scratch directory.
 *
 * The files are compared first, without the plan. So a damaged plan or assignment is named, too.
 */
#include "verify/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/table.h"
#include "rundir/attempts.h"
#include "rundir/derive.h"
#include "rundir/lock.h"
#include "rundir/parts.h"
#include "verify/comparisons.h"

/* How often a run is read again because another process is changing it. */
enum { LOOKS_MOST = 10, LOOK_MS = 100 };

void verification_free(struct verification *v)
{
    differences_free(&v->found);
    *v = (struct verification){0};
}

/* --- results ---------------------------------------------------------------------------------- */

struct damage {
    const struct run *run;
    struct differences *found;
};

static void on_bad_file(void *arg, const struct results_bad *b)
{
    const struct damage *to = arg;
    /* Most reasons start with the path, too. */
    const size_t n = strlen(b->path);
    const char *what = strncmp(b->why, b->path, n) == 0 ? b->why + n : b->why;
    what += strspn(what, ": ");
    differences_add(to->found, (struct place){b->path + strlen(to->run->dir) + 1, b->unit_id, ""},
                    what, b->unit_id ? "a result" : "a node record");
}

/* Read the results that the report was made from. Results that came later do not count. */
static void read_results(const struct run *r, const struct receipts *receipts,
                         struct verification *v, struct results *res)
{
    struct damage to = {r, &v->found};
    results_read(r, res, on_bad_file, &to);
    for (unsigned i = 0; i < res->unit_count; i++) {
        const struct unit *u = &r->plan->units[i];
        if (u->preset)
            continue;
        if (res->unit[i])
            verify_result(r, i, res->unit[i], results_node(res, res->unit[i]), &v->found);
        v->unfinished = v->unfinished || res->first[i];
        if (!receipts->doc)
            continue;
        OWNED char *reason = NULL; /* of the attempts that had failed by then */
        const struct attempt_count c =
            attempt_failures_among(r->dir, u->id, json_object_get(receipts->doc, "files"), &reason);
        res->attempts[i] = c.failures - c.postponed;
        if (res->unit[i] && !receipts_had_result(receipts, u->id)) {
            v->unfinished = true;
            if (receipts_had_first(receipts, r->dir, u->id)) {
                results_take_first(r, res, i);
            } else {
                unit_result_free(res->unit[i]);
                res->unit[i] = NULL;
            }
        }
        if (!res->unit[i] && json_object_get(receipts->units, u->id))
            results_give_up(r, res, i, reason);
    }
    results_derive(r, res); /* what came later may know a better record of the node */
}

/* --- tables and receipts, made again ---------------------------------------------------------- */

static const char *reported_by(const struct receipts *receipts)
{
    const json_t *run = json_object_get(receipts->doc, "run");
    return json_string_value(json_object_get(run, "reported_by"));
}

/* What receipts that are made again take from the old ones. */
static struct receipt_before before(const struct receipts *receipts, const json_t *files,
                                    const struct since *since)
{
    const json_t *run = json_object_get(receipts->doc, "run");
    struct receipt_before b = {.files = files, .reported_by = reported_by(receipts)};
    if (since->options)
        b.tools = json_object_get(run, "tools");
    if (since->plan)
        b.plan_sha256 = json_string_value(json_object_get(run, "plan_sha256"));
    return b;
}

static void compare_tables(const struct run *r, const char *scratch, bool strict,
                           struct differences *found)
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        const enum part file = table_file[i];
        OWNED char *recorded = part_path(r->dir, file), *recomputed = part_path(scratch, file);
        if (strict || fs_exists(recorded))
            verify_table(part_name(file), recorded, recomputed, strict, found);
    }
}

static int make_again(const struct run *r, const struct results *res,
                      const struct receipts *receipts, const struct receipt_before *known,
                      struct differences *found, struct err *e)
{
    char *scratch = xasprintf("%s/paragrade-verify-XXXXXX", fs_tmpdir());
    struct scoreboard board = {0};
    json_t *again = NULL;
    int rc = -1;
    if (!mkdtemp(scratch)) {
        err_system(e, "%s: cannot be made: %s", scratch, strerror(errno));
        goto out;
    }
    score_run(r, res, &board);
    if (receipt_make(r, res, &board, known, &again, e) != 0 ||
        report_write_tables(r, scratch, res, &board, again, e) != 0)
        goto remove;
    compare_tables(r, scratch, receipts->doc != NULL, found);
    if (receipts->doc)
        verify_receipts(receipts, again, found);
    rc = 0;
remove:
    fs_remove_tree(scratch, NULL);
out:
    json_decref(again);
    scoreboard_free(&board);
    free(scratch);
    return rc;
}

/* --- the whole run ---------------------------------------------------------------------------- */

static void add_notes(const struct run *r, const struct results *res,
                      const struct receipts *receipts, struct verification *v)
{
    unsigned left = results_left(res);
    const char *by = reported_by(receipts);
    if (by && strcmp(by, "paragrade " PARAGRADE_VERSION) != 0)
        differences_note(&v->found, "reported by %s; this is paragrade " PARAGRADE_VERSION, by);
    if (left)
        differences_note(&v->found, "unfinished: %u of %u %s no result when this was written", left,
                         res->unit_count, plural(res->unit_count, "unit had", "units had"));
    bool running = run_is_locked(r->dir);
    if (running)
        differences_note(&v->found, "unfinished: the run is being graded right now");
    v->unfinished = v->unfinished || left || running;
}

static int verify_opened(const struct run *r, const struct receipts *receipts,
                         const struct receipt_before *known, struct verification *v, struct err *e)
{
    FREED_BY(results_free) struct results res = {0};
    int rc = 0;
    read_results(r, receipts, v, &res);
    /* Without receipts, nobody knows from which results the tables of an unfinished run were made.
     */
    if (receipts->doc || !results_left(&res))
        rc = make_again(r, &res, receipts, known, &v->found, e);
    add_notes(r, &res, receipts, v);
    v->submissions = r->plan->submissions_count;
    for (unsigned i = 0; i < res.unit_count; i++)
        v->units += res.unit[i] != NULL;
    return rc;
}

static int verify_once(const char *dir, const char *wanted, struct verification *v, struct err *e)
{
    *v = (struct verification){0};
    struct receipts receipts;
    struct run r;
    struct err why = ERR_INIT;
    struct since since = {0};
    json_auto_t *files = NULL;
    int rc = receipts_load(dir, &receipts, &v->found, e);
    if (rc != 0)
        goto out;
    v->receipts = receipts.doc != NULL;
    memcpy(v->digest, receipts.digest, sizeof v->digest);
    if (wanted)
        verify_wanted_digest(dir, &receipts, wanted, &v->found);
    const bool opened = run_open(dir, &r, &why) == 0;
    files = receipt_files(dir);
    if (receipts.doc) {
        verify_receipts_themselves(receipts.doc, &v->found);
        v->files = verify_files(dir, opened ? &r : NULL, &receipts, files, &since, &v->found);
        v->unfinished = since.unfinished;
    }
    if (opened) {
        if (since.plan)
            resumed_restore(&r, &receipts);
        const struct receipt_before known = before(&receipts, files, &since);
        rc = verify_opened(&r, &receipts, &known, v, e);
        run_close(&r);
    } else if (v->found.count) {
        differences_note(&v->found, "nothing can be recomputed: %s", why.text);
    } else {
        *e = why;
        rc = -1;
    }
out:
    receipts_free(&receipts);
    return rc;
}

/* Has another process written to the run since it was read, or may it be writing what differs? */
static bool is_changing(const char *dir, const struct verification *v)
{
    OWNED char *receipts = part_path(dir, PART_RECEIPTS);
    char digest[DIGEST_HEX] = "";
    /* In this order: whoever has left the lock has written the receipts. */
    const bool writing = v->found.count && run_is_locked(dir);
    (void)digest_file(receipts, digest, NULL);
    return writing || strcmp(digest, v->digest) != 0;
}

int verify_run(const char *dir, const char *wanted, struct verification *v, struct err *e)
{
    int rc = verify_once(dir, wanted, v, e);
    for (int look = 0; look < LOOKS_MOST && rc == 0 && is_changing(dir, v); look++) {
        verification_free(v);
        clock_sleep_ms(LOOK_MS);
        rc = verify_once(dir, wanted, v, e);
    }
    return rc;
}
