/*
 * Everything is done again from the evidence - results read, intervals computed from raw samples,
 * points given, tables and receipts written (elsewhere) - and compared with what lies there.
 *
 * Files come first and without the plan, so that a plan or an assignment that can no longer be read
 * is named all the same.
 */
#include "verify/verify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "base/version.h"
#include "report/receipt.h"
#include "report/report.h"
#include "rundir/lock.h"
#include "report/table.h"
#include "rundir/paths.h"
#include "verify/parts.h"

struct work {
    const char *dir;
    struct verification *v;
    json_t *recorded; /* receipts.json; NULL without */
    json_t *units;    /* of those, by id */
    struct run run;
    struct results res;
};

/* --- the record of differences ------------------------------------------------------------ */

static char *printable(const char *s)
{
    char *copy = xstrdup(s);
    term_make_printable(copy);
    for (char *p = copy; *p; p++)
        if (*p == '\n' || *p == '\t' || *p == '\r')
            *p = ' ';
    return copy;
}

void verify_differs(struct verification *v, const char *file, const char *where, const char *field,
                    const char *recorded, const char *recomputed)
{
    v->difference = xrealloc_array(v->difference, v->count + 1, sizeof *v->difference);
    v->difference[v->count++] =
        (struct difference){printable(file), printable(where), printable(field),
                            printable(recorded), printable(recomputed)};
}

void verify_note(struct verification *v, const char *fmt, ...)
{
    char text[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    v->note = xrealloc_array(v->note, v->notes + 1, sizeof *v->note);
    v->note[v->notes++] = printable(text);
}

void verification_free(struct verification *v)
{
    for (size_t i = 0; i < v->count; i++) {
        free(v->difference[i].file);
        free(v->difference[i].where);
        free(v->difference[i].field);
        free(v->difference[i].recorded);
        free(v->difference[i].recomputed);
    }
    for (size_t i = 0; i < v->notes; i++)
        free(v->note[i]);
    free(v->difference);
    free(v->note);
    *v = (struct verification){0};
}

/* --- receipts ------------------------------------------------------------------------------- */

static int load_receipts(struct work *w, struct err *e)
{
    char *path = rundir_receipts(w->dir), *text = NULL;
    size_t len;
    int rc = 0;
    if (fs_exists(path)) {
        rc = fs_read(path, RECEIPT_MOST, &text, &len, e);
        if (rc == 0) {
            json_error_t why;
            digest_bytes(text, len, w->v->digest);
            w->recorded = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
            if (!w->recorded) {
                char *where = xasprintf("line %d", why.line);
                verify_differs(w->v, "receipts.json", where, "", why.text, "JSON");
                free(where);
            }
        }
    }
    json_t *format = json_pack("i", RECEIPT_FORMAT);
    if (w->recorded)
        verify_json("receipts.json", "", "format", json_object_get(w->recorded, "format"), format,
                    w->v);
    json_decref(format);
    w->v->receipts = w->recorded != NULL;
    free(text);
    free(path);
    return rc;
}

/* The digest that somebody kept: of the whole run, or the receipt of one submission. */
static void check_wanted(struct work *w, const char *wanted)
{
    if (!wanted || strcmp(wanted, w->v->digest) == 0)
        return;
    size_t i;
    const json_t *s;
    json_array_foreach(json_object_get(w->recorded, "submissions"), i, s)
    {
        const char *receipt = json_string_value(json_object_get(s, "receipt"));
        const char *id = json_string_value(json_object_get(s, "id"));
        if (receipt && strcmp(receipt, wanted) == 0) {
            verify_note(w->v, "the digest given is the receipt of %s", id ? id : "?");
            return;
        }
    }
    verify_differs(w->v, "receipts.json", "", "digest", wanted,
                   w->v->digest[0] ? w->v->digest : "(there are no receipts)");
}

/* The receipts' units by id. */
static json_t *index_units(const json_t *recorded)
{
    json_t *all = json_object(), *unit;
    const json_t *submission;
    size_t i, k;
    json_array_foreach(json_object_get(recorded, "submissions"), i, submission)
    {
        json_array_foreach(json_object_get(submission, "units"), k, unit)
        {
            const char *id = json_string_value(json_object_get(unit, "unit"));
            if (id)
                json_object_set(all, id, unit);
        }
    }
    return all;
}

static const json_t *recorded_unit(const struct work *w, const char *id)
{
    return json_object_get(w->units, id);
}

/* --- files ---------------------------------------------------------------------------------- */

/* A file of a unit whose result had not come when the report was written. */
static bool came_later(const struct work *w, const char *file)
{
    if (strncmp(file, "nodes/", 6) == 0)
        return json_integer_value(json_object_get(w->recorded, "units_left")) > 0;
    if (strncmp(file, "units/", 6) != 0)
        return false;
    char *id = xasprintf("%.*s", (int)strcspn(file + 6, "/"), file + 6);
    const json_t *u = recorded_unit(w, id);
    free(id);
    return !json_is_string(json_object_get(u, "result_sha256"));
}

static void compare_files(struct work *w)
{
    const json_t *recorded = json_object_get(w->recorded, "files"), *value;
    json_t *now = receipt_files(w->dir);
    const char *file;
    json_object_foreach((json_t *)recorded, file, value)
    {
        const char *was = json_string_value(value);
        const char *is = json_string_value(json_object_get(now, file));
        w->v->files++;
        if (!was || !is || strcmp(was, is) != 0)
            verify_differs(w->v, file, "", "sha256", was ? was : "(not a digest)",
                           is ? is : "(no such file)");
    }
    json_object_foreach(now, file, value)
    {
        if (json_object_get(recorded, file))
            continue;
        if (came_later(w, file)) {
            verify_note(w->v, "%s: came after the report was written", file);
            w->v->unfinished = true;
        } else {
            verify_differs(w->v, file, "", "sha256", "(not in receipts.json)",
                           json_string_value(value));
        }
    }
    json_decref(now);
}

/* --- results -------------------------------------------------------------------------------- */

static void on_damage(void *arg, const char *unit_id, const char *path, const char *why)
{
    struct work *w = arg;
    const char *file = path + strlen(w->run.dir) + 1;
    /* The reason starts with the path, too. */
    const char *what = strncmp(why, path, strlen(path)) == 0 ? why + strlen(path) : why;
    what += strspn(what, ": ");
    verify_differs(w->v, file, unit_id ? unit_id : "", "", what,
                   unit_id ? "a result" : "a node record");
}

/* What was known when the report was written: results that came later do not count. */
static void read_results(struct work *w)
{
    results_read(&w->run, &w->res, on_damage, w);
    for (unsigned i = 0; i < w->res.unit_count; i++) {
        const struct unit *u = &w->run.plan->units[i];
        if (u->preset)
            continue;
        if (w->res.unit[i])
            verify_result(&w->run, i, w->res.unit[i], results_node(&w->res, w->res.unit[i]), w->v);
        if (!w->recorded)
            continue;
        const json_t *known = recorded_unit(w, u->id);
        if (w->res.unit[i] && !json_is_string(json_object_get(known, "result_sha256"))) {
            w->v->unfinished = true;
            unit_result_free(w->res.unit[i]);
            w->res.unit[i] = NULL;
        }
        if (!w->res.unit[i] && known)
            results_give_up(&w->run, &w->res, i);
    }
    for (unsigned i = 0; i < w->res.node_count; i++)
        verify_node(w->res.node[i], w->v);
}

/* --- tables and receipts, made again -------------------------------------------------------- */

static void compare_tables(struct work *w, const char *again)
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        char *was = rundir_report(w->dir, table_files[i]);
        char *is = rundir_report(again, table_files[i]);
        if (w->recorded || fs_exists(was))
            verify_table(table_files[i], was, is, w->recorded != NULL, w->v);
        free(was);
        free(is);
    }
}

/* The same values may be written in other bytes; ours are written in one way only. */
static void compare_receipt_bytes(struct work *w)
{
    char *path = rundir_receipts(w->dir), *is = json_file_text(w->recorded), digest[DIGEST_HEX];
    digest_bytes(is, strlen(is), digest);
    if (strcmp(digest, w->v->digest) != 0)
        verify_differs(w->v, "receipts.json", "", "a byte that does not show", w->v->digest,
                       digest);
    free(is);
    free(path);
}

static void compare_receipts(struct work *w, json_t *again)
{
    json_t *values = json_copy(w->recorded);
    json_object_del(values, "files");
    json_object_del(values, "files_sha256");
    json_object_del(values, "format"); /* compared already */
    json_object_del(again, "format");
    verify_json("receipts.json", "", "", values, again, w->v);
    json_decref(values);
    compare_receipt_bytes(w);
}

static int make_again(struct work *w, const char *elsewhere, struct err *e)
{
    struct scoreboard board;
    json_t *again = NULL;
    const json_t *by = json_object_get(json_object_get(w->recorded, "run"), "reported_by");
    score_run(&w->run, &w->res, &board);
    int rc = receipt_make(&w->run, &w->res, &board, json_string_value(by), &again, e);
    if (rc == 0) {
        struct run shadow = w->run;
        shadow.dir = (char *)elsewhere;
        rc = report_write_tables(&shadow, &w->res, &board, again, e);
    }
    if (rc == 0)
        compare_tables(w, elsewhere);
    if (rc == 0 && w->recorded)
        compare_receipts(w, again);
    json_decref(again);
    scoreboard_free(&board);
    return rc;
}

static int in_scratch(struct work *w, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = xasprintf("%s/paragrade-verify-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        err_system(e, "%s: cannot be made: %s", dir, strerror(errno));
        free(dir);
        return -1;
    }
    int rc = make_again(w, dir, e);
    fs_remove_tree(dir, NULL);
    free(dir);
    return rc;
}

static void remark(struct work *w)
{
    struct verification *v = w->v;
    unsigned left = results_left(&w->res);
    const char *by =
        json_string_value(json_object_get(json_object_get(w->recorded, "run"), "reported_by"));
    if (by && strcmp(by, "paragrade " PARAGRADE_VERSION) != 0)
        verify_note(v, "reported by %s; this is paragrade " PARAGRADE_VERSION, by);
    v->submissions = w->run.plan->submissions_count;
    for (unsigned i = 0; i < w->res.unit_count; i++)
        v->units += w->res.unit[i] != NULL;
    if (left)
        verify_note(v, "unfinished: %u of %u units had no result when this was written", left,
                    w->res.unit_count);
    v->unfinished = v->unfinished || left;
    if (run_is_locked(w->run.dir)) {
        verify_note(v, "unfinished: the run is being graded right now");
        v->unfinished = true;
    }
}

static int verify_opened(struct work *w, struct err *e)
{
    read_results(w);
    int rc = 0;
    /* Without receipts nobody knows which results an unfinished run's tables were made of. */
    if (w->recorded || !results_left(&w->res))
        rc = in_scratch(w, e);
    remark(w);
    results_free(&w->res);
    return rc;
}

int verify_run(const char *dir, const char *wanted, struct verification *v, struct err *e)
{
    *v = (struct verification){0};
    struct work w = {.dir = dir, .v = v};
    struct err why = ERR_INIT;
    int rc = load_receipts(&w, e);
    if (rc == 0) {
        w.units = index_units(w.recorded);
        check_wanted(&w, wanted);
        if (w.recorded) {
            verify_receipts_themselves(w.recorded, v);
            compare_files(&w);
        }
        if (run_open(dir, &w.run, &why) == 0) {
            rc = verify_opened(&w, e);
            run_close(&w.run);
        } else if (v->count) {
            verify_note(v, "nothing can be recomputed: %s", why.text);
        } else {
            *e = why;
            rc = -1;
        }
    }
    json_decref(w.units);
    json_decref(w.recorded);
    return rc;
}
