/* Gradescope reads results.json from every submission that an autograder has graded. */
#include <math.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "export/export.h"
#include "export/grade.h"
#include "report/feedback.h"
#include "report/receipt.h"
#include "report/text.h"

/* Four decimals: more are noise, and 22.6 must not be 22.600000000000001. */
enum { DECIMALS = 10000, DIGITS = 12 };

static json_t *points_json(double points)
{
    return json_real(round(points * DECIMALS) / DECIMALS);
}

static int write_results(const char *path, json_t *o, struct err *e)
{
    OWNED char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
    json_decref(o);
    if (!text)
        return err_system(e, "%s: a name in it is not text", path);
    return fs_write_atomic(path, text, strlen(text), e);
}

static json_t *test_json(const struct graded_run *g, unsigned unit)
{
    const struct unit_result *u = g->results->unit[unit];
    const struct unit_score *s = &g->board->unit[unit];
    const char *status = u->verdict == VERDICT_PASS ? "passed" : "failed";
    OWNED char *output =
        xasprintf("%s%s%s%s%s", s->counted ? "" : "does not count: ", verdict_name(u->verdict),
                  u->message[0] ? ": " : "", u->message,
                  s->not_gradable && !s->counted ? " (its times cannot be graded)" : "");
    json_t *o = json_object();
    json_object_set_new(o, "name", json_printable(text_tier(g->run, unit)));
    json_object_set_new(o, "output", json_printable(output));
    if (s->counted) {
        json_object_set_new(o, "status", json_string(status));
        json_object_set_new(o, "score", points_json(s->points));
        json_object_set_new(o, "max_score", points_json(s->max_points));
    }
    return o;
}

/* The receipt, and why the points are others than those of the results. */
static char *output_text(const struct graded_run *g, unsigned submission, const char *receipt)
{
    struct strbuf sb = STRBUF_INIT;
    char **text;
    const unsigned n = feedback_adjustments(g->run, g->board, submission, &text);
    if (*receipt)
        strbuf_addf(&sb, "receipt: %s", receipt);
    for (unsigned i = 0; i < n; i++)
        strbuf_addf(&sb, "%s%s", sb.len ? "\n" : "", text[i]);
    texts_free(text, n);
    return strbuf_detach(&sb);
}

/* receipts: NULL where there are none. */
static json_t *student_json(const struct graded_run *g, unsigned submission, double score,
                            const json_t *receipts)
{
    const struct unit_range mine = plan_units_of(g->run->plan, (int)submission);
    json_t *o = json_object(), *tests = json_array();
    json_object_set_new(o, "score", points_json(score));
    OWNED char *output =
        output_text(g, submission, receipts ? receipt_of(receipts, submission) : "");
    if (*output)
        json_object_set_new(o, "output", json_printable(output));
    for (unsigned i = mine.first; i < mine.end; i++)
        json_array_append_new(tests, test_json(g, i));
    json_object_set_new(o, "tests", tests);
    return o;
}

/* Results without any score are not valid there. So who has none gets no file, and that of an
 * earlier export goes away. */
static int write_student(const struct graded_run *g, unsigned submission, const char *dir,
                         const json_t *receipts, struct gradescope_outcome *out, struct err *e)
{
    const char *id = g->run->plan->submissions[submission].id;
    OWNED char *to = xasprintf("%s/%s", dir, id), *path = xasprintf("%s/results.json", to);
    double score;
    int rc = grade_of(g, submission, 0, &score, e);
    if (rc > 0) {
        strbuf_addf(&out->ungraded, "%s\n", id);
        out->ungraded_count++;
        rc = fs_remove_tree(path, e);
    } else if (rc == 0) {
        rc = fs_mkdirs(to, e);
        if (rc == 0)
            rc = write_results(path, student_json(g, submission, score, receipts), e);
    }
    return rc;
}

int export_gradescope(const struct graded_run *g, const char *dir, struct gradescope_outcome *out,
                      struct err *e)
{
    *out = (struct gradescope_outcome){STRBUF_INIT, 0};
    const struct plan *p = g->run->plan;
    json_auto_t *receipts = receipt_load(g->run->dir);
    int rc = fs_mkdirs(dir, e);
    for (unsigned i = 0; i < p->submissions_count && rc == 0; i++)
        if (!p->submissions[i].is_reference)
            rc = write_student(g, i, dir, receipts, out, e);
    return rc;
}
