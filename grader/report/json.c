/* The whole report as one JSON document, for programs. */
#include <string.h>

#include "base/instant.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "kernel/matrix_files.h"
#include "report/adjust.h"
#include "report/feedback.h"
#include "report/interval_json.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/shape_json.h"
#include "report/smallest.h"
#include "report/text.h"
#include "report/versus.h"
#include "rundir/measured_json.h"

static json_t *roofline_json(const struct run *r, const struct results *res, const struct speed *s)
{
    const struct roofline x = roofline_speed(r, res, s, roofline_bandwidths(r, res, s)->gbs[0]);
    char text[ROOFLINE_TEXT];
    roofline_text(r, res, s, text);
    return json_pack("{s:o, s:o, s:o, s:s, s:s}", "intensity", json_number_or_null(x.intensity),
                     "roof_gops", json_number_or_null(x.roof), "fraction_of_roof",
                     json_number_or_null(x.fraction), "bound", bound_name(x.bound), "advice", text);
}

static json_t *speed_json(const struct run *r, const struct results *res, const struct speed *s)
{
    char size[SHAPE_TEXT];
    shape_format(s->shape, size);
    json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:b, s:b}", "size", size, "case", s->case_index,
                          "ranks", s->launch.ranks, "threads", s->launch.threads, "graded",
                          s->graded, "oversubscribed", s->oversubscribed);
    launch_to_json(o, "nodes", "gpus", s->launch);
    json_object_set_new(o, "seconds", interval_json(s->seconds));
    json_object_set_new(o, "gops", json_number_or_null(s->gops));
    json_object_set_new(o, "peak_share", json_number_or_null(s->peak_share));
    json_object_set_new(o, "speedup", interval_json(s->speedup));
    json_object_set_new(o, "fraction_of_reference", interval_json(s->fraction));
    json_object_set_new(o, "efficiency", interval_json(s->efficiency));
    if (s->launch.nodes > 1)
        json_object_set_new(o, "node_efficiency", interval_json(s->node_efficiency));
    json_object_set_new(o, "roofline", roofline_json(r, res, s));
    return o;
}

/* {"m": 300, "n": 20, "k": 4000} */
static json_t *shape_by_name(const struct run *r, struct shape s)
{
    const struct kernel *k = r->assignment->kernel;
    json_t *o = json_object();
    shape_fields_to_json(o, k, s);
    return o;
}

static json_t *failed_cases(const struct run *r, const struct unit_result *u)
{
    json_t *list = json_array();
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->verdict == VERDICT_PASS || c->case_index >= (int)r->cases.count)
            continue;
        json_t *o = json_pack("{s:i, s:o, s:i, s:i, s:s, s:o}", "case", c->case_index, "shape",
                              shape_by_name(r, r->cases.item[c->case_index].shape), "ranks",
                              c->launch.ranks, "threads", c->launch.threads, "verdict",
                              verdict_name(c->verdict), "message", json_printable(c->message));
        launch_to_json(o, "nodes", "gpus", c->launch);
        json_array_append_new(list, o);
    }
    return list;
}

/* run_name: NULL, the reader does not have the run. */
static json_t *smallest_json(const struct run *r, unsigned unit, const struct unit_result *u,
                             const char *run_name)
{
    if (!u || !u->smallest.present)
        return json_null();
    const struct smallest_result *s = &u->smallest;
    struct shape shape = s->shape;
    struct err ignored = ERR_INIT;
    /* The file of the result has neither matrices nor derived numbers. */
    if (shape.structure.family == STRUCTURE_FILE)
        shape.structure.matrix =
            matrix_files_get(r->assignment->matrices, shape.structure.file, &ignored);
    kernel_complete(r->assignment->kernel, &shape, &ignored);
    OWNED char *again =
        run_name ? smallest_replay(r, run_name, u) : smallest_replay_own(r, text_tier(r, unit), u);
    json_t *o = json_pack("{s:o, s:s, s:i, s:i, s:o, s:o, s:b}", "shape", shape_by_name(r, shape),
                          "values", s->values, "ranks", s->launch.ranks, "threads",
                          s->launch.threads, "message", json_printable(s->message), "replay",
                          json_printable(again), "finished", s->finished);
    launch_to_json(o, "nodes", "gpus", s->launch);
    return o;
}

static json_t *comparison(const struct run *r, const struct versus_row *x)
{
    OWNED char *other = versus_name(r, x->pair);
    json_t *o =
        json_pack("{s:o, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "other", json_printable(other),
                  "ranks", x->mine->launch.ranks, "threads", x->mine->launch.threads, "other_ranks",
                  x->other->launch.ranks, "other_threads", x->other->launch.threads, "shape",
                  shape_by_name(r, x->shape), "ratio", interval_json(x->ratio), "ratio_end_to_end",
                  json_number_or_null(x->end_to_end));
    launch_to_json(o, "nodes", "gpus", x->mine->launch);
    launch_to_json(o, "other_nodes", "other_gpus", x->other->launch);
    return o;
}

/* What was decided about a unit, or with unit -1 about a submission. */
static json_t *decided_json(const struct run *r, int submission, int unit)
{
    OWNED char *text = adjust_text(r, submission, unit);
    return json_printable(text);
}

static json_t *submitted_json(const struct run *r, unsigned submission)
{
    const int64_t submitted = adjust_submitted(r, submission);
    char when[INSTANT_TEXT];
    if (submitted == PLAN_NO_TIME)
        return json_null();
    instant_format(submitted, when);
    return json_string(when);
}

static json_t *submission_json(const struct run *r, const struct scoreboard *b, unsigned i)
{
    const struct submission *x = &r->plan->submissions[i];
    const struct submission_score *s = &b->submission[i];
    return json_pack("{s:o, s:o, s:b, s:f, s:f, s:i, s:o, s:I, s:f, s:o}", "id",
                     json_printable(x->id), "name", json_printable(x->name), "reference",
                     x->is_reference, "points", s->points, "max_points", s->max_points, "uncounted",
                     (int)s->uncounted, "submitted_utc", submitted_json(r, i), "late_seconds",
                     (json_int_t)s->late_s, "late_penalty", s->late_penalty, "override",
                     decided_json(r, (int)i, -1));
}

static json_t *remarks_json(const struct unit_result *u)
{
    json_t *list = json_array();
    char **text = NULL;
    const unsigned n = u ? feedback_remarks(u, &text) : 0;
    for (unsigned i = 0; i < n; i++)
        json_array_append_new(list, json_printable(text[i]));
    texts_free(text, n);
    return list;
}

static json_t *counted_json(const struct unit_score *s, double points)
{
    return s->counted ? json_number_or_null(points) : json_null();
}

/* run_name: as in smallest_json(). */
static json_t *unit_json(const struct run *r, const struct results *res, const struct scoreboard *b,
                         unsigned i, const char *run_name)
{
    const struct unit *u = &r->plan->units[i];
    const struct unit_result *ur = res->unit[i];
    const struct unit_score *s = &b->unit[i];
    json_t *o = json_object();
    json_object_set_new(o, "unit", json_printable(u->id));
    json_object_set_new(o, "submission", json_printable(r->plan->submissions[u->submission].id));
    json_object_set_new(o, "tier", json_printable(r->assignment->tiers[u->tier].name));
    json_object_set_new(o, "verdict", ur ? json_printable(verdict_name(ur->verdict)) : json_null());
    json_object_set_new(o, "message", json_printable(ur ? ur->message : ""));
    json_object_set_new(o, "attested",
                        !ur || ur->attested == ATTESTED_UNKNOWN
                            ? json_null()
                            : json_boolean(ur->attested == ATTESTED_YES));
    json_object_set_new(o, "evidence", json_printable(ur ? ur->evidence : ""));
    json_object_set_new(o, "remarks", remarks_json(ur));
    json_object_set_new(o, "sanitized", json_printable(ur ? ur->sanitized : ""));
    json_object_set_new(o, "protections",
                        protection_json(ur ? ur->protections : PROTECTIONS_UNKNOWN));
    json_object_set_new(o, "node", json_printable(ur ? ur->host : ""));
    json_object_set_new(o, "counted", json_boolean(s->counted));
    json_object_set_new(o, "scored_points", counted_json(s, s->scored));
    json_object_set_new(o, "late_penalty", counted_json(s, s->late_penalty));
    json_object_set_new(o, "override", decided_json(r, u->submission, (int)i));
    json_object_set_new(o, "points", counted_json(s, s->points));
    json_object_set_new(o, "max_points", counted_json(s, s->max_points));
    json_object_set_new(o, "cases_passed", json_integer(s->cases_passed));
    json_object_set_new(o, "cases_total", json_integer(s->cases_total));
    json_object_set_new(o, "failed_cases", failed_cases(r, ur));
    json_object_set_new(o, "smallest", smallest_json(r, i, ur, run_name));
    json_t *speeds = json_array();
    const struct speeds of = score_speeds(b, (int)i);
    for (const struct speed *x = of.first; x < of.end; x++)
        json_array_append_new(speeds, speed_json(r, res, x));
    json_object_set_new(o, "speeds", speeds);
    return o;
}

/* What is known of the run as a whole. */
static json_t *run_json(const struct run *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "run", json_printable(r->plan->run_id));
    json_object_set_new(o, "assignment", json_printable(r->assignment->name));
    json_object_set_new(o, "profile", json_printable(r->plan->profile));
    OWNED char *part = subset_text(&r->plan->only);
    json_object_set_new(o, "partial", *part ? json_printable(part) : json_null());
    return o;
}

json_t *report_unit_json(const struct run *r, const struct results *res, const struct scoreboard *b,
                         unsigned i)
{
    return unit_json(r, res, b, i, r->plan->run_id);
}

/* To a list of the units from number `first` on. */
static void add_comparisons(json_t *units, unsigned first, const struct versus_row *rows, size_t n,
                            const struct run *r)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *unit = json_array_get(units, (size_t)rows[i].unit - first);
        json_array_append_new(json_object_get(unit, "versus"), comparison(r, &rows[i]));
    }
}

/* The submissions with their units; only: index of the only one, or -1. run_name: as in
 * unit_json(). */
static void add_submissions(json_t *o, const struct run *r, const struct results *res,
                            const struct scoreboard *b, int only, const char *run_name)
{
    const struct plan *p = r->plan;
    const struct unit_range of = plan_units_of(p, only);
    json_t *submissions = json_array(), *units = json_array();
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (only < 0 || i == (unsigned)only)
            json_array_append_new(submissions, submission_json(r, b, i));
    for (unsigned i = of.first; i < of.end; i++) {
        json_t *unit = unit_json(r, res, b, i, run_name);
        json_object_set_new(unit, "versus", json_array()); /* filled by add_comparisons() */
        json_array_append_new(units, unit);
    }
    OWNED struct versus_row *rows = NULL;
    const size_t n = versus_rows(r, res, only, &rows);
    add_comparisons(units, of.first, rows, n, r);
    json_object_set_new(o, "submissions", submissions);
    json_object_set_new(o, "units", units);
}

int report_print_json(const struct run *r, const struct results *res, const struct scoreboard *b,
                      FILE *f, struct err *e)
{
    json_t *o = run_json(r);
    char digest[DIGEST_HEX];
    json_object_set_new(o, "directory", json_printable(r->dir));
    if (receipt_run_digest(r->dir, digest, NULL) == 0)
        json_object_set_new(o, "digest", json_printable(digest));
    add_submissions(o, r, res, b, -1, r->plan->run_id);
    return json_print(f, o, e);
}

int report_print_student_json(const struct run *r, const struct results *res,
                              const struct scoreboard *b, const struct student_view *v, FILE *f,
                              struct err *e)
{
    json_t *o = run_json(r);
    if (v->receipt[0])
        json_object_set_new(o, "receipt", json_printable(v->receipt));
    add_submissions(o, r, res, b, v->submission, v->run_name ? r->plan->run_id : NULL);
    return json_print(f, o, e);
}
