/*
 * Results as JSON. Reading is strict: a field that is missing or of the wrong type is an error
 * that names file and field - a half-written or edited file must not become a grade.
 */
#include "model/result.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"

enum { FILE_MOST = 64 << 20 };

/* --- writing ---------------------------------------------------------------------------------- */

/* Much of it is a student's or his compiler's, and all of it ends on somebody's terminal. */
static void set_string(json_t *o, const char *key, const char *s)
{
    char *clean = xstrdup(s ? s : "");
    term_make_printable(clean);
    json_t *v = json_string(clean);
    if (!v) { /* not UTF-8: what JSON cannot hold is replaced */
        for (char *p = clean; *p; p++)
            if ((unsigned char)*p >= 0x80)
                *p = '?';
        v = json_string(clean);
    }
    free(clean);
    json_object_set_new(o, key, v);
}

static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *interval_json(struct interval i)
{
    return json_pack("{s:o, s:o, s:o, s:I}", "median", number(i.median), "low", number(i.low),
                     "high", number(i.high), "n", (json_int_t)i.n);
}

static json_t *shape_json(struct shape s)
{
    return json_pack("[i, i, i]", s.m, s.n, s.k);
}

static json_t *mismatch_json(const struct mismatch *m)
{
    if (!m->present)
        return json_null();
    json_t *o = json_pack("{s:i, s:i, s:I, s:I, s:I, s:I}", "row", m->row, "col", m->col,
                          "expected", (json_int_t)m->expected, "got", (json_int_t)m->got, "wrong",
                          (json_int_t)m->wrong, "total", (json_int_t)m->total);
    set_string(o, "pattern", m->pattern);
    return o;
}

static json_t *case_json(const struct case_result *c)
{
    json_t *o = json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:i, s:b, s:b, s:b}", "case", c->case_index, "point",
        c->point, "launch", c->launch_index, "ranks", c->launch.ranks, "threads", c->launch.threads,
        "verdict", verdict_name(c->verdict), "runs", c->runs, "failed_runs", c->failed_runs, "race",
        c->race, "oversubscribed", c->oversubscribed, "precise", c->precise);
    set_string(o, "message", c->message);
    json_object_set_new(o, "mismatch", mismatch_json(&c->mismatch));
    json_object_set_new(o, "seconds", interval_json(c->seconds));
    json_object_set_new(o, "relative", interval_json(c->relative));
    json_object_set_new(o, "pace", number(c->yard_expected));
    json_object_set_new(o, "end_to_end", interval_json(c->end_to_end));
    json_t *samples = json_array();
    for (unsigned i = 0; i < c->samples_count; i++) {
        const struct sample *s = &c->samples[i];
        json_array_append_new(samples, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:i}", "reps",
                                                 s->reps, "seconds", number(s->seconds),
                                                 "yardstick", number(s->yardstick), "waited",
                                                 number(s->waited), "end_to_end",
                                                 number(s->end_to_end), "device", number(s->device),
                                                 "disturbed", s->disturbed, "process", s->process));
    }
    json_object_set_new(o, "samples", samples);
    json_object_set_new(o, "cores_used", number(c->cores_used));
    json_object_set_new(o, "busiest", number(c->busiest));
    json_t *ranks = json_array();
    for (unsigned i = 0; i < c->ranks_count; i++) {
        const struct rank_work *w = &c->ranks[i];
        json_array_append_new(ranks, json_pack("{s:o, s:o, s:I, s:b}", "compute_seconds",
                                               number(w->compute_seconds), "mpi_seconds",
                                               number(w->mpi_seconds), "bytes",
                                               (json_int_t)w->bytes, "shared", w->shared));
    }
    json_object_set_new(o, "by_rank", ranks);
    return o;
}

static const char *const activities[] = {"api", "kernel", "copy"};

const char *activity_name(enum activity a)
{
    return activities[a];
}

double profile_share(const struct device_profile *p, unsigned row)
{
    double sum = 0;
    bool call = p->row[row].activity == ACTIVITY_API;
    for (unsigned i = 0; i < p->count; i++)
        if ((p->row[i].activity == ACTIVITY_API) == call)
            sum += p->row[i].seconds;
    return sum > 0 ? p->row[row].seconds / sum : 0;
}

static json_t *profile_json(const struct device_profile *p)
{
    if (!p->count)
        return json_null();
    json_t *rows = json_array();
    for (unsigned i = 0; i < p->count; i++) {
        const struct profile_row *r = &p->row[i];
        json_t *row =
            json_pack("{s:s, s:I, s:o, s:i, s:i, s:i, s:I, s:o}", "activity",
                      activities[r->activity], "calls", (json_int_t)r->calls, "seconds",
                      number(r->seconds), "registers", (int)r->registers, "shared_bytes",
                      (int)r->shared_bytes, "block_threads", (int)r->block_threads, "grid_blocks",
                      (json_int_t)r->grid_blocks, "occupancy", number(r->occupancy));
        set_string(row, "name", r->name);
        json_array_append_new(rows, row);
    }
    return json_pack("{s:o, s:o}", "shape", shape_json(p->shape), "rows", rows);
}

static int publish(json_t *o, const char *path, struct err *e)
{
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(o);
    if (!text)
        return err_system(e, "%s: cannot be written as JSON", path);
    size_t n = strlen(text);
    text[n] = '\n'; /* the terminating NUL is not needed any more */
    int rc = fs_publish_once(path, text, n + 1, e);
    free(text);
    return rc;
}

int unit_result_publish(const struct unit_result *r, const char *path, struct err *e)
{
    json_t *o = json_object();
    set_string(o, "unit", r->unit_id);
    set_string(o, "verdict", verdict_name(r->verdict));
    set_string(o, "message", r->message);
    set_string(o, "build_command", r->build_command);
    set_string(o, "build_log", r->build_log);
    set_string(o, "output", r->output);
    set_string(o, "host", r->host);
    set_string(o, "yardstick", r->yardstick);
    set_string(o, "device", r->device);
    set_string(o, "job", r->job);
    set_string(o, "started", r->started);
    set_string(o, "source_hash", r->source_hash);
    set_string(o, "compiler", r->compiler);
    json_object_set_new(o, "build_seconds", number(r->build_seconds));
    json_object_set_new(o, "total_seconds", number(r->total_seconds));
    json_object_set_new(o, "peak_memory", number(r->peak_memory));
    json_object_set_new(o, "cores", json_integer(r->cores));
    json_t *cases = json_array();
    for (unsigned i = 0; i < r->cases_count; i++)
        json_array_append_new(cases, case_json(&r->cases[i]));
    json_object_set_new(o, "cases", cases);
    json_object_set_new(o, "profile", profile_json(&r->profile));
    json_object_set_new(
        o, "attested",
        r->attested == ATTESTED_UNKNOWN ? json_null() : json_boolean(r->attested == ATTESTED_YES));
    set_string(o, "evidence", r->evidence);
    json_object_set_new(o, "protections", protection_json(r->protections));
    return publish(o, path, e);
}

int node_record_publish(const struct node_record *n, const char *path, struct err *e)
{
    json_t *o = json_object();
    set_string(o, "host", n->host);
    set_string(o, "yardstick", n->yardstick);
    set_string(o, "model", n->model);
    json_object_set_new(o, "device", json_boolean(n->device));
    set_string(o, "started", n->started);
    json_object_set_new(o, "cores", json_integer(n->cores));
    json_object_set_new(o, "cores_total", json_integer(n->cores_total));
    json_object_set_new(o, "l1d", json_integer((json_int_t)n->l1d));
    json_object_set_new(o, "l2", json_integer((json_int_t)n->l2));
    json_object_set_new(o, "l3", json_integer((json_int_t)n->l3));
    json_object_set_new(o, "peak_gops", number(n->peak_gops));
    json_object_set_new(o, "bandwidth_gbs", number(n->bandwidth_gbs));
    json_object_set_new(o, "overhead_us", number(n->overhead_us));
    json_t *list = json_array();
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "shape", shape_json(c->shape),
                                              "baseline", interval_json(c->baseline), "yardstick",
                                              interval_json(c->yardstick), "ratio",
                                              interval_json(c->ratio)));
    }
    json_object_set_new(o, "calibrations", list);
    return publish(o, path, e);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    const char *path;
    struct err *e;
    bool failed;
};

static void bad(struct reader *rd, const char *key, const char *what)
{
    if (!rd->failed)
        err_system(rd->e, "%s: field '%s' %s", rd->path, key, what);
    rd->failed = true;
}

static char *get_string(struct reader *rd, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (!s)
        bad(rd, key, "is not a string");
    return xstrdup(s ? s : "");
}

static void get_text(struct reader *rd, const json_t *o, const char *key, char *out, size_t cap)
{
    char *s = get_string(rd, o, key);
    size_t n = strlen(s);
    if (n >= cap)
        n = cap - 1;
    memcpy(out, s, n);
    out[n] = '\0';
    free(s);
}

static long long get_int(struct reader *rd, const json_t *o, const char *key, long long min,
                         long long max)
{
    const json_t *v = json_object_get(o, key);
    long long n = (long long)json_integer_value(v);
    if (!json_is_integer(v) || n < min || n > max) {
        bad(rd, key, "is not a whole number in its range");
        return min > 0 ? min : 0;
    }
    return n;
}

static double get_number(struct reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (json_is_null(v))
        return NAN;
    if (!json_is_number(v)) {
        bad(rd, key, "is not a number");
        return NAN;
    }
    return json_number_value(v);
}

static bool get_bool(struct reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_boolean(v))
        bad(rd, key, "is neither true nor false");
    return json_is_true(v);
}

static const json_t *get_array(struct reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_array(v))
        bad(rd, key, "is not a list");
    return v;
}

static enum verdict get_verdict(struct reader *rd, const json_t *o, const char *key)
{
    enum verdict v = VERDICT_INFRA_ERROR;
    const char *s = json_string_value(json_object_get(o, key));
    if (!s || !verdict_parse(s, &v))
        bad(rd, key, "is not a verdict");
    return v;
}

static struct interval get_interval(struct reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_object(v))
        bad(rd, key, "is not an interval");
    struct interval i = {get_number(rd, v, "median"), get_number(rd, v, "low"),
                         get_number(rd, v, "high"), (size_t)get_int(rd, v, "n", 0, 1 << 30)};
    return i;
}

static struct shape get_shape(struct reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    json_int_t dim[3];
    bool fine = json_array_size(v) == 3;
    for (size_t i = 0; i < 3; i++) {
        dim[i] = json_integer_value(json_array_get(v, i));
        fine = fine && dim[i] >= 1 && dim[i] <= INT32_MAX;
    }
    if (!fine)
        bad(rd, key, "is not a shape");
    return (struct shape){(int)dim[0], (int)dim[1], (int)dim[2]};
}

static void read_mismatch(struct reader *rd, const json_t *o, struct mismatch *m)
{
    const json_t *v = json_object_get(o, "mismatch");
    if (json_is_null(v))
        return;
    if (!json_is_object(v))
        bad(rd, "mismatch", "is neither an object nor null");
    m->present = true;
    m->row = (int)get_int(rd, v, "row", 0, INT32_MAX);
    m->col = (int)get_int(rd, v, "col", 0, INT32_MAX);
    m->expected = get_int(rd, v, "expected", INT64_MIN, INT64_MAX);
    m->got = get_int(rd, v, "got", INT64_MIN, INT64_MAX);
    m->wrong = (uint64_t)get_int(rd, v, "wrong", 1, INT64_MAX);
    m->total = (uint64_t)get_int(rd, v, "total", 1, INT64_MAX);
    get_text(rd, v, "pattern", m->pattern, sizeof m->pattern);
}

/* before: the one before it, or NULL. */
static void read_sample(struct reader *rd, const json_t *o, const struct sample *before,
                        struct sample *s)
{
    s->reps = (int)get_int(rd, o, "reps", 1, 1 << 20);
    s->seconds = get_number(rd, o, "seconds");
    s->yardstick = get_number(rd, o, "yardstick");
    s->waited = get_number(rd, o, "waited");
    s->end_to_end = get_number(rd, o, "end_to_end");
    s->device = get_number(rd, o, "device");
    s->disturbed = get_bool(rd, o, "disturbed");
    s->process = (int)get_int(rd, o, "process", 0, PROCESSES_MOST - 1);
    if (before && s->process < before->process)
        bad(rd, "samples", "are not in the order of their processes");
    if (!(s->seconds > 0) || !(s->yardstick > 0))
        bad(rd, "samples", "holds a time that is not positive");
}

static void read_ranks(struct reader *rd, const json_t *o, struct case_result *c)
{
    const json_t *list = get_array(rd, o, "by_rank");
    if (json_array_size(list) > RANKS_MOST)
        bad(rd, "by_rank", "has too many ranks");
    if (rd->failed)
        return;
    c->ranks_count = (unsigned)json_array_size(list);
    c->ranks = xcalloc(c->ranks_count, sizeof *c->ranks);
    for (unsigned i = 0; i < c->ranks_count && !rd->failed; i++) {
        const json_t *x = json_array_get(list, i);
        struct rank_work *w = &c->ranks[i];
        w->compute_seconds = get_number(rd, x, "compute_seconds");
        w->mpi_seconds = get_number(rd, x, "mpi_seconds");
        w->bytes = (uint64_t)get_int(rd, x, "bytes", 0, INT64_MAX);
        w->shared = get_bool(rd, x, "shared");
    }
}

static void read_case(struct reader *rd, const json_t *o, struct case_result *c)
{
    c->case_index = (int)get_int(rd, o, "case", 0, INT32_MAX);
    c->point = (int)get_int(rd, o, "point", 0, INT32_MAX);
    c->launch_index = (int)get_int(rd, o, "launch", -1, INT32_MAX);
    c->launch.ranks = (int)get_int(rd, o, "ranks", 1, INT32_MAX);
    c->launch.threads = (int)get_int(rd, o, "threads", 1, INT32_MAX);
    c->verdict = get_verdict(rd, o, "verdict");
    c->runs = (int)get_int(rd, o, "runs", 0, INT32_MAX);
    c->failed_runs = (int)get_int(rd, o, "failed_runs", 0, c->runs);
    c->race = get_bool(rd, o, "race");
    c->oversubscribed = get_bool(rd, o, "oversubscribed");
    c->precise = get_bool(rd, o, "precise");
    get_text(rd, o, "message", c->message, sizeof c->message);
    read_mismatch(rd, o, &c->mismatch);
    c->seconds = get_interval(rd, o, "seconds");
    c->relative = get_interval(rd, o, "relative");
    c->yard_expected = get_number(rd, o, "pace");
    c->end_to_end = get_interval(rd, o, "end_to_end");
    const json_t *samples = get_array(rd, o, "samples");
    c->samples_count = (unsigned)json_array_size(samples);
    c->samples = xcalloc(c->samples_count, sizeof *c->samples);
    for (unsigned i = 0; i < c->samples_count && !rd->failed; i++)
        read_sample(rd, json_array_get(samples, i), i ? &c->samples[i - 1] : NULL, &c->samples[i]);
    c->cores_used = get_number(rd, o, "cores_used");
    c->busiest = get_number(rd, o, "busiest");
    read_ranks(rd, o, c);
}

static enum activity get_activity(struct reader *rd, const json_t *o)
{
    const char *s = json_string_value(json_object_get(o, "activity"));
    for (size_t i = 0; s && i < sizeof activities / sizeof activities[0]; i++)
        if (strcmp(s, activities[i]) == 0)
            return (enum activity)i;
    bad(rd, "activity", "is none of api, kernel, copy");
    return ACTIVITY_API;
}

static void read_profile(struct reader *rd, const json_t *o, struct device_profile *p)
{
    const json_t *v = json_object_get(o, "profile");
    if (json_is_null(v))
        return;
    p->shape = get_shape(rd, v, "shape");
    const json_t *rows = get_array(rd, v, "rows");
    p->count = (unsigned)json_array_size(rows);
    p->row = xcalloc(p->count, sizeof *p->row);
    for (unsigned i = 0; i < p->count && !rd->failed; i++) {
        const json_t *x = json_array_get(rows, i);
        struct profile_row *r = &p->row[i];
        r->activity = get_activity(rd, x);
        get_text(rd, x, "name", r->name, sizeof r->name);
        r->calls = (uint64_t)get_int(rd, x, "calls", 1, INT64_MAX);
        r->seconds = get_number(rd, x, "seconds");
        r->registers = (unsigned)get_int(rd, x, "registers", 0, INT32_MAX);
        r->shared_bytes = (unsigned)get_int(rd, x, "shared_bytes", 0, INT32_MAX);
        r->block_threads = (unsigned)get_int(rd, x, "block_threads", 0, INT32_MAX);
        r->grid_blocks = (uint64_t)get_int(rd, x, "grid_blocks", 0, INT64_MAX);
        r->occupancy = get_number(rd, x, "occupancy");
    }
}

static enum attested get_attested(struct reader *rd, const json_t *o)
{
    if (json_is_null(json_object_get(o, "attested")))
        return ATTESTED_UNKNOWN;
    return get_bool(rd, o, "attested") ? ATTESTED_YES : ATTESTED_NO;
}

static json_t *load_object(const char *path, struct err *e)
{
    char *text;
    size_t len;
    if (fs_read(path, FILE_MOST, &text, &len, e) != 0)
        return NULL;
    json_error_t je;
    json_t *o = json_loadb(text, len, 0, &je);
    free(text);
    if (!o)
        err_system(e, "%s:%d: damaged: %s", path, je.line, je.text);
    else if (!json_is_object(o)) {
        err_system(e, "%s: damaged: not a JSON object", path);
        json_decref(o);
        o = NULL;
    }
    return o;
}

int unit_result_load(const char *path, struct unit_result **out, struct err *e)
{
    *out = NULL;
    json_t *o = load_object(path, e);
    if (!o)
        return -1;
    struct reader rd = {path, e, false};
    struct unit_result *r = xcalloc(1, sizeof *r);
    r->unit_id = get_string(&rd, o, "unit");
    r->verdict = get_verdict(&rd, o, "verdict");
    r->message = get_string(&rd, o, "message");
    r->build_command = get_string(&rd, o, "build_command");
    r->build_log = get_string(&rd, o, "build_log");
    r->output = get_string(&rd, o, "output");
    r->host = get_string(&rd, o, "host");
    r->yardstick = get_string(&rd, o, "yardstick");
    r->device = get_string(&rd, o, "device");
    r->job = get_string(&rd, o, "job");
    r->started = get_string(&rd, o, "started");
    r->source_hash = get_string(&rd, o, "source_hash");
    r->compiler = get_string(&rd, o, "compiler");
    r->build_seconds = get_number(&rd, o, "build_seconds");
    r->total_seconds = get_number(&rd, o, "total_seconds");
    r->peak_memory = get_number(&rd, o, "peak_memory");
    r->cores = (int)get_int(&rd, o, "cores", 0, INT32_MAX);
    const json_t *cases = get_array(&rd, o, "cases");
    r->cases_count = (unsigned)json_array_size(cases);
    r->cases = xcalloc(r->cases_count, sizeof *r->cases);
    for (unsigned i = 0; i < r->cases_count && !rd.failed; i++)
        read_case(&rd, json_array_get(cases, i), &r->cases[i]);
    read_profile(&rd, o, &r->profile);
    r->attested = get_attested(&rd, o);
    r->evidence = get_string(&rd, o, "evidence");
    if (!protection_from_json(json_object_get(o, "protections"), &r->protections))
        bad(&rd, "protections", "is neither null nor a list of protections");
    json_decref(o);
    if (rd.failed) {
        unit_result_free(r);
        return -1;
    }
    *out = r;
    return 0;
}

void unit_result_free(struct unit_result *r)
{
    if (!r)
        return;
    free(r->unit_id);
    free(r->message);
    free(r->build_command);
    free(r->build_log);
    free(r->output);
    free(r->host);
    free(r->yardstick);
    free(r->device);
    free(r->profile.row);
    free(r->job);
    free(r->started);
    free(r->source_hash);
    free(r->compiler);
    free(r->evidence);
    for (unsigned i = 0; i < r->cases_count; i++) {
        free(r->cases[i].samples);
        free(r->cases[i].ranks);
    }
    free(r->cases);
    free(r);
}

int node_record_load(const char *path, struct node_record **out, struct err *e)
{
    *out = NULL;
    json_t *o = load_object(path, e);
    if (!o)
        return -1;
    struct reader rd = {path, e, false};
    struct node_record *n = xcalloc(1, sizeof *n);
    n->host = get_string(&rd, o, "host");
    n->yardstick = get_string(&rd, o, "yardstick");
    n->model = get_string(&rd, o, "model");
    n->device = get_bool(&rd, o, "device");
    n->started = get_string(&rd, o, "started");
    n->cores = (int)get_int(&rd, o, "cores", 0, INT32_MAX);
    n->cores_total = (int)get_int(&rd, o, "cores_total", 0, INT32_MAX);
    n->l1d = (uint64_t)get_int(&rd, o, "l1d", 0, INT64_MAX);
    n->l2 = (uint64_t)get_int(&rd, o, "l2", 0, INT64_MAX);
    n->l3 = (uint64_t)get_int(&rd, o, "l3", 0, INT64_MAX);
    n->peak_gops = get_number(&rd, o, "peak_gops");
    n->bandwidth_gbs = get_number(&rd, o, "bandwidth_gbs");
    n->overhead_us = get_number(&rd, o, "overhead_us");
    const json_t *list = get_array(&rd, o, "calibrations");
    n->calibrations_count = (unsigned)json_array_size(list);
    n->calibrations = xcalloc(n->calibrations_count, sizeof *n->calibrations);
    for (unsigned i = 0; i < n->calibrations_count && !rd.failed; i++) {
        const json_t *c = json_array_get(list, i);
        n->calibrations[i] =
            (struct calibration){get_shape(&rd, c, "shape"), get_interval(&rd, c, "baseline"),
                                 get_interval(&rd, c, "yardstick"), get_interval(&rd, c, "ratio")};
    }
    json_decref(o);
    if (rd.failed) {
        node_record_free(n);
        return -1;
    }
    *out = n;
    return 0;
}

void node_record_free(struct node_record *n)
{
    if (!n)
        return;
    free(n->host);
    free(n->yardstick);
    free(n->model);
    free(n->started);
    free(n->calibrations);
    free(n);
}

const struct calibration *node_calibration(const struct node_record *n, struct shape s)
{
    for (unsigned i = 0; n && i < n->calibrations_count; i++)
        if (shape_equal(n->calibrations[i].shape, s))
            return &n->calibrations[i];
    return NULL;
}

/* How much a failed case tells: one where part of a not too small matrix is right shows where the
 * mistake lies; a single wrong element does not. A
 * race leaves wrong elements anywhere: it tells more than all of them, unless one worker alone
 * makes mistakes, too. */
static int telling(const struct case_result *c, bool alone_failed)
{
    const struct mismatch *m = &c->mismatch;
    if (c->race && !alone_failed)
        return 4;
    if (!m->present)
        return 1;
    if (m->wrong < m->total)
        return m->total >= 64 ? 3 : 2;
    return m->total > 1 ? 1 : 0;
}

const struct case_result *unit_result_first_failure(const struct unit_result *r)
{
    const struct case_result *best = NULL;
    bool alone = false;
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        alone = alone || (c->verdict != VERDICT_PASS && c->launch.ranks * c->launch.threads == 1);
    }
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->verdict == r->verdict && (!best || telling(c, alone) > telling(best, alone)))
            best = c;
    }
    return best;
}
