#include "rundir/result_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/json.h"
#include "base/json_pool.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "rundir/measured_json.h"

enum { RESULT_MAX_BYTES = 64 << 20 };

/* --- writing ---------------------------------------------------------------------------------- */

static json_t *mismatch_json(const struct mismatch *m)
{
    if (!m->present)
        return json_null();
    json_t *o = json_pack("{s:i, s:i, s:s, s:s, s:I, s:I}", "row", m->row, "col", m->col,
                          "expected", m->expected, "got", m->got, "wrong", (json_int_t)m->wrong,
                          "total", (json_int_t)m->total);
    json_object_set_new(o, "pattern", json_printable(m->pattern));
    return o;
}

static json_t *counters_json(const struct counters *c)
{
    if (!c->runs)
        return json_null();
    json_t *o = json_pack("{s:i, s:o}", "runs", c->runs, "reason", json_printable(c->reason));
    for (int i = 0; i < COUNTER_COUNT; i++)
        json_object_set_new(o, counter_name((enum counter)i), json_number_or_null(c->value[i]));
    return o;
}

static json_t *case_json(const struct case_result *c)
{
    json_t *o = json_pack("{s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:i, s:s, s:b}", "case",
                          c->case_index, "point", c->point, "launch", c->launch_index, "ranks",
                          c->launch.ranks, "threads", c->launch.threads, "verdict",
                          verdict_name(c->verdict), "runs", c->runs, "failed_runs", c->failed_runs,
                          "cause", cause_name(c->cause), "oversubscribed", c->oversubscribed);
    launch_to_json(o, "nodes", "gpus", c->launch);
    json_object_set_new(o, "message", json_printable(c->message));
    json_object_set_new(o, "mismatch", mismatch_json(&c->mismatch));
    json_object_set_new(o, "error_max", json_number_or_null(c->accuracy.max));
    json_object_set_new(o, "error_rms", json_number_or_null(c->accuracy.rms));
    json_object_set_new(o, "samples", samples_to_json(c->samples, c->samples_count));
    json_t *ranks = json_array();
    for (unsigned i = 0; i < c->ranks_count; i++) {
        const struct rank_work *w = &c->ranks[i];
        json_array_append_new(ranks, json_pack("{s:o, s:o, s:I, s:b}", "compute_seconds",
                                               json_number_or_null(w->compute_seconds),
                                               "mpi_seconds", json_number_or_null(w->mpi_seconds),
                                               "bytes", (json_int_t)w->bytes, "shared", w->shared));
    }
    json_object_set_new(o, "by_rank", ranks);
    json_object_set_new(o, "counters", counters_json(&c->counters));
    return o;
}

static json_t *profile_json(const struct device_profile *p)
{
    if (!p->count)
        return json_null();
    json_t *rows = json_array();
    for (unsigned i = 0; i < p->count; i++) {
        const struct profile_row *r = &p->row[i];
        json_t *row = json_pack(
            "{s:s, s:I, s:o, s:i, s:i, s:i, s:I, s:o}", "activity", activity_name(r->activity),
            "calls", (json_int_t)r->calls, "seconds", json_number_or_null(r->seconds), "registers",
            (int)r->registers, "shared_bytes", (int)r->shared_bytes, "block_threads",
            (int)r->block_threads, "grid_blocks", (json_int_t)r->grid_blocks, "occupancy",
            json_number_or_null(r->occupancy));
        json_object_set_new(row, "name", json_printable(r->name));
        json_object_set_new(row, "median", json_number_or_null(r->median));
        json_object_set_new(row, "min", json_number_or_null(r->min));
        json_object_set_new(row, "max", json_number_or_null(r->max));
        json_object_set_new(row, "stddev", json_number_or_null(r->stddev));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:o, s:o}", "shape", shape_to_json(p->shape), "rows", rows);
}

static json_t *smallest_json(const struct smallest_result *s)
{
    char seed[24];
    if (!s->present)
        return json_null();
    snprintf(seed, sizeof seed, "0x%016llx", (unsigned long long)s->seed);
    json_t *o = json_pack("{s:o, s:s, s:s, s:i, s:i, s:s, s:i, s:i, s:i, s:b}", "shape",
                          shape_to_json(s->shape), "values", s->values, "seed", seed, "ranks",
                          s->launch.ranks, "threads", s->launch.threads, "verdict",
                          verdict_name(s->verdict), "runs", s->runs, "failed_runs", s->failed_runs,
                          "tried", s->tried, "finished", s->finished);
    launch_to_json(o, "nodes", "gpus", s->launch);
    json_object_set_new(o, "message", json_printable(s->message));
    json_object_set_new(o, "seconds", json_number_or_null(s->seconds));
    return o;
}

int unit_result_publish(const struct unit_result *r, const char *path, struct err *e)
{
    json_t *o = json_object();
    json_object_set_new(o, "unit", json_printable(r->unit_id));
    json_object_set_new(o, "verdict", json_printable(verdict_name(r->verdict)));
#define TEXT(field) json_object_set_new(o, #field, json_printable(r->field));
    UNIT_RESULT_TEXTS(TEXT)
#undef TEXT
    json_object_set_new(o, "build_seconds", json_number_or_null(r->build_seconds));
    json_object_set_new(o, "total_seconds", json_number_or_null(r->total_seconds));
    json_object_set_new(o, "kernel_seconds", json_number_or_null(r->kernel_seconds));
    json_object_set_new(o, "yardstick_seconds", json_number_or_null(r->yardstick_seconds));
    json_object_set_new(o, "grader_cpu", json_number_or_null(r->grader_cpu));
    json_object_set_new(o, "peak_memory", json_number_or_null(r->peak_memory));
    json_object_set_new(o, "cores", json_integer(r->cores));
    json_object_set_new(o, "library_hash", json_printable(r->library_hash));
    json_object_set_new(o, "output_case", json_integer(r->output_case));
    json_t *cases = json_array();
    for (unsigned i = 0; i < r->cases_count; i++)
        json_array_append_new(cases, case_json(&r->cases[i]));
    json_object_set_new(o, "cases", cases);
    json_object_set_new(o, "smallest", smallest_json(&r->smallest));
    json_object_set_new(o, "profile", profile_json(&r->profile));
    json_object_set_new(
        o, "attested",
        r->attested == ATTESTED_UNKNOWN ? json_null() : json_boolean(r->attested == ATTESTED_YES));
    json_object_set_new(o, "protections", protection_json(r->protections));
    return json_publish_file(path, o, e);
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum verdict get_verdict(struct json_reader *rd, const json_t *o, const char *key)
{
    enum verdict v = VERDICT_INFRA_ERROR;
    const char *s = json_string_value(json_object_get(o, key));
    if (!s || !verdict_parse(s, &v))
        json_bad_field(rd, key, "is not a verdict");
    return v;
}

static void read_mismatch(struct json_reader *rd, const json_t *o, struct mismatch *m)
{
    const json_t *v = json_object_get(o, "mismatch");
    if (json_is_null(v))
        return;
    if (!json_is_object(v))
        json_bad_field(rd, "mismatch", "is neither an object nor null");
    m->present = true;
    m->row = (int)json_read_int(rd, v, "row", 0, INT32_MAX);
    m->col = (int)json_read_int(rd, v, "col", 0, INT32_MAX);
    json_read_text_into(rd, v, "expected", m->expected, sizeof m->expected);
    json_read_text_into(rd, v, "got", m->got, sizeof m->got);
    m->wrong = (uint64_t)json_read_int(rd, v, "wrong", 1, INT64_MAX);
    m->total = (uint64_t)json_read_int(rd, v, "total", 1, INT64_MAX);
    json_read_text_into(rd, v, "pattern", m->pattern, sizeof m->pattern);
}

/* The product is a number of workers, which is an int. */
static struct launch read_launch(struct json_reader *rd, const json_t *o)
{
    struct launch l;
    l.ranks = (int)json_read_int(rd, o, "ranks", 1, INT32_MAX);
    l.threads = (int)json_read_int(rd, o, "threads", 1, INT32_MAX / l.ranks);
    l.nodes = json_object_get(o, "nodes") ? (int)json_read_int(rd, o, "nodes", 2, l.ranks) : 1;
    if (l.ranks % l.nodes != 0)
        json_bad_field(rd, "nodes", "does not divide the ranks");
    l.gpus = json_object_get(o, "gpus")
                 ? (int)json_read_int(rd, o, "gpus", 2, INT32_MAX / l.ranks / l.threads)
                 : 0;
    return l;
}

static void read_ranks(struct json_reader *rd, const json_t *o, struct case_result *c)
{
    const json_t *list = json_read_list(rd, o, "by_rank");
    if (json_array_size(list) > RANKS_MOST)
        json_bad_field(rd, "by_rank", "has too many ranks");
    if (rd->failed)
        return;
    c->ranks_count = (unsigned)json_array_size(list);
    c->ranks = xcalloc(c->ranks_count, sizeof *c->ranks);
    for (unsigned i = 0; i < c->ranks_count && !rd->failed; i++) {
        const json_t *x = json_array_get(list, i);
        struct rank_work *w = &c->ranks[i];
        w->compute_seconds = json_read_number(rd, x, "compute_seconds");
        w->mpi_seconds = json_read_number(rd, x, "mpi_seconds");
        w->bytes = (uint64_t)json_read_int(rd, x, "bytes", 0, INT64_MAX);
        w->shared = json_read_bool(rd, x, "shared");
    }
}

static void read_counters(struct json_reader *rd, const json_t *o, struct counters *c)
{
    const json_t *v = json_object_get(o, "counters");
    if (json_is_null(v))
        return;
    c->runs = (int)json_read_int(rd, v, "runs", 1, INT32_MAX);
    json_read_text_into(rd, v, "reason", c->reason, sizeof c->reason);
    for (int i = 0; i < COUNTER_COUNT; i++)
        c->value[i] = json_read_number(rd, v, counter_name((enum counter)i));
}

static void read_cause(struct json_reader *rd, const json_t *o, struct case_result *c)
{
    const char *name = json_string_value(json_object_get(o, "cause"));
    if (!name || !cause_parse(name, &c->cause))
        json_bad_field(rd, "cause", "is no cause that this version knows");
}

static void read_case(struct json_reader *rd, const json_t *o, struct case_result *c)
{
    c->case_index = (int)json_read_int(rd, o, "case", 0, INT32_MAX);
    c->point = (int)json_read_int(rd, o, "point", 0, INT32_MAX);
    c->launch_index = (int)json_read_int(rd, o, "launch", -1, INT32_MAX);
    c->launch = read_launch(rd, o);
    c->verdict = get_verdict(rd, o, "verdict");
    c->runs = (int)json_read_int(rd, o, "runs", 0, INT32_MAX);
    c->failed_runs = (int)json_read_int(rd, o, "failed_runs", 0, c->runs);
    read_cause(rd, o, c);
    c->oversubscribed = json_read_bool(rd, o, "oversubscribed");
    json_read_text_into(rd, o, "message", c->message, sizeof c->message);
    read_mismatch(rd, o, &c->mismatch);
    c->accuracy.max = json_read_number(rd, o, "error_max");
    c->accuracy.rms = json_read_number(rd, o, "error_rms");
    c->samples = samples_read(rd, o, "samples", &c->samples_count);
    for (unsigned i = 0; i < c->samples_count; i++)
        if (!(c->samples[i].unit > 0) || !(c->samples[i].yardstick > 0))
            json_bad_field(rd, "samples", "holds a time that is not positive");
    read_ranks(rd, o, c);
    read_counters(rd, o, &c->counters);
}

static enum activity get_activity(struct json_reader *rd, const json_t *o)
{
    const char *s = json_string_value(json_object_get(o, "activity"));
    for (int i = 0; s && i < ACTIVITY_COUNT; i++)
        if (strcmp(s, activity_name((enum activity)i)) == 0)
            return (enum activity)i;
    json_bad_field(rd, "activity", "is none of api, kernel, copy");
    return ACTIVITY_API;
}

static void read_profile(struct json_reader *rd, const json_t *o, struct device_profile *p)
{
    const json_t *v = json_object_get(o, "profile");
    if (json_is_null(v))
        return;
    p->shape = shape_read(rd, v, "shape");
    const json_t *rows = json_read_list(rd, v, "rows");
    for (unsigned i = 0; i < json_array_size(rows) && !rd->failed; i++) {
        const json_t *x = json_array_get(rows, i);
        p->row = list_one_more(p->row, i, sizeof *p->row);
        p->count = i + 1;
        struct profile_row *r = &p->row[i];
        r->activity = get_activity(rd, x);
        json_read_text_into(rd, x, "name", r->name, sizeof r->name);
        r->calls = (uint64_t)json_read_int(rd, x, "calls", 1, INT64_MAX);
        r->seconds = json_read_number(rd, x, "seconds");
        r->median = json_read_number(rd, x, "median");
        r->min = json_read_number(rd, x, "min");
        r->max = json_read_number(rd, x, "max");
        r->stddev = json_read_number(rd, x, "stddev");
        r->registers = (unsigned)json_read_int(rd, x, "registers", 0, INT32_MAX);
        r->shared_bytes = (unsigned)json_read_int(rd, x, "shared_bytes", 0, INT32_MAX);
        r->block_threads = (unsigned)json_read_int(rd, x, "block_threads", 0, INT32_MAX);
        r->grid_blocks = (uint64_t)json_read_int(rd, x, "grid_blocks", 0, INT64_MAX);
        r->occupancy = json_read_number(rd, x, "occupancy");
    }
}

static void read_smallest(struct json_reader *rd, const json_t *o, struct smallest_result *s)
{
    const json_t *v = json_object_get(o, "smallest");
    if (json_is_null(v))
        return;
    const char *values = json_string_value(json_object_get(v, "values"));
    const char *seed = json_string_value(json_object_get(v, "seed"));
    struct err ignored = ERR_INIT;
    s->present = true;
    s->shape = shape_read(rd, v, "shape");
    if (!values || strlen(values) >= sizeof s->values || !identifier_ok(values))
        json_bad_field(rd, "values", "is no kind of values");
    else
        memcpy(s->values, values, strlen(values) + 1);
    if (!seed || parse_u64(seed, &s->seed, &ignored) != 0)
        json_bad_field(rd, "seed", "is not a seed");
    s->launch = read_launch(rd, v);
    s->verdict = get_verdict(rd, v, "verdict");
    json_read_text_into(rd, v, "message", s->message, sizeof s->message);
    s->runs = (int)json_read_int(rd, v, "runs", 1, INT32_MAX);
    s->failed_runs = (int)json_read_int(rd, v, "failed_runs", 1, s->runs);
    s->tried = (int)json_read_int(rd, v, "tried", 0, INT32_MAX);
    s->seconds = json_read_number(rd, v, "seconds");
    s->finished = json_read_bool(rd, v, "finished");
}

static enum attested get_attested(struct json_reader *rd, const json_t *o)
{
    if (json_is_null(json_object_get(o, "attested")))
        return ATTESTED_UNKNOWN;
    return json_read_bool(rd, o, "attested") ? ATTESTED_YES : ATTESTED_NO;
}

/* NULL: the file is not a result. */
static struct unit_result *load(struct json_reader *rd)
{
    const json_t *o = json_read_file(rd, RESULT_MAX_BYTES);
    if (!o)
        return NULL;
    struct unit_result *r = xcalloc(1, sizeof *r);
    r->unit_id = json_read_text(rd, o, "unit");
    r->verdict = get_verdict(rd, o, "verdict");
#define TEXT(field) r->field = json_read_text(rd, o, #field);
    UNIT_RESULT_TEXTS(TEXT)
#undef TEXT
    r->build_seconds = json_read_number(rd, o, "build_seconds");
    r->total_seconds = json_read_number(rd, o, "total_seconds");
    r->kernel_seconds = json_read_number(rd, o, "kernel_seconds");
    r->yardstick_seconds = json_read_number(rd, o, "yardstick_seconds");
    r->grader_cpu = json_read_number(rd, o, "grader_cpu");
    r->peak_memory = json_read_number(rd, o, "peak_memory");
    r->cores = (int)json_read_int(rd, o, "cores", 0, INT32_MAX);
    json_read_text_into(rd, o, "library_hash", r->library_hash, sizeof r->library_hash);
    r->output_case = (int)json_read_int(rd, o, "output_case", -1, INT32_MAX);
    const json_t *cases = json_read_list(rd, o, "cases");
    for (unsigned i = 0; i < json_array_size(cases) && !rd->failed; i++) {
        r->cases = list_one_more(r->cases, i, sizeof *r->cases);
        r->cases_count = i + 1;
        read_case(rd, json_array_get(cases, i), &r->cases[i]);
    }
    read_smallest(rd, o, &r->smallest);
    read_profile(rd, o, &r->profile);
    r->attested = get_attested(rd, o);
    if (!protection_from_json(json_object_get(o, "protections"), &r->protections))
        json_bad_field(rd, "protections", "is neither null nor a list of protections");
    if (rd->failed) {
        unit_result_free(r);
        return NULL;
    }
    return r;
}

int unit_result_load(const char *path, struct unit_result **out, struct err *e)
{
    struct json_reader rd = {path, ERR_SYSTEM, e, false};
    json_pool_begin();
    *out = load(&rd);
    json_pool_end();
    return *out ? 0 : -1;
}
