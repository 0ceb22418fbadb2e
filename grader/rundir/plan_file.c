/* plan.json: a plan is written and read. */
#include "rundir/plan.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "base/json.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "model/source_name.h"
#include "rundir/measured_json.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { PLAN_MAX_BYTES = 256 << 20 };

/* File names are bytes, JSON strings are UTF-8. A name that is not UTF-8 is stored as
 * {"bytes": "616263ff"}, so that every name comes back as it was. */
static json_t *json_from_name(const char *name)
{
    json_t *s = json_string(name); /* NULL when it is not UTF-8 */
    if (s)
        return s;
    FREED_BY(strbuf_free) struct strbuf hex = STRBUF_INIT;
    for (const char *p = name; *p; p++)
        strbuf_addf(&hex, "%02x", (unsigned char)*p);
    return json_pack("{s:s}", "bytes", hex.s);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *name_from_json(const json_t *j)
{
    if (json_is_string(j))
        return xstrdup(json_string_value(j));
    const char *hex = json_string_value(json_object_get(j, "bytes"));
    if (!hex || strlen(hex) % 2)
        return NULL;
    size_t n = strlen(hex) / 2;
    char *s = xcalloc(n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        int hi = hex_digit(hex[2 * i]), lo = hex_digit(hex[2 * i + 1]);
        if (hi < 0 || lo < 0 || (hi == 0 && lo == 0)) {
            free(s);
            return NULL;
        }
        s[i] = (char)(hi << 4 | lo);
    }
    return s;
}

static json_t *json_from_texts(char *const *text, unsigned n)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
}

/* NULL unless it is a list of texts. */
static char **texts_from_json(const json_t *list)
{
    const size_t n = json_array_size(list);
    char **text = xcalloc(n + 1, sizeof *text);
    bool all = json_is_array(list);
    for (size_t i = 0; i < n && all; i++) {
        const char *s = json_string_value(json_array_get(list, i));
        all = s != NULL;
        text[i] = s ? xstrdup(s) : NULL;
    }
    if (all)
        return text;
    texts_free(text, (unsigned)n);
    return NULL;
}

static void put_time(json_t *j, const char *key, int64_t t)
{
    char text[INSTANT_TEXT];
    if (!instant_is_writable(t)) /* PLAN_NO_TIME, too */
        return;
    instant_format(t, text);
    json_object_set_new(j, key, json_string(text));
}

static int take_time(const json_t *j, const char *key, int64_t *t)
{
    const json_t *text = json_object_get(j, key);
    *t = PLAN_NO_TIME;
    if (!text)
        return 0;
    return json_is_string(text) ? instant_parse(json_string_value(text), t, NULL) : -1;
}

static json_t *submission_to_json(const struct submission *s, unsigned roster_columns)
{
    json_t *j = json_pack("{s:s, s:o, s:o, s:b}", "id", s->id, "name", json_from_name(s->name),
                          "path", json_from_name(s->path), "reference", s->is_reference);
    if (s->roster_fields)
        json_object_set_new(j, "roster", json_from_texts(s->roster_fields, roster_columns));
    put_time(j, "submitted", s->submitted);
    put_time(j, "modified", s->modified);
    return j;
}

static json_t *unit_to_json(const struct unit *u)
{
    json_t *j =
        json_pack("{s:s, s:i, s:i}", "id", u->id, "submission", u->submission, "tier", u->tier);
    if (u->source)
        json_object_set_new(j, "source", json_from_name(u->source));
    if (u->preset) {
        json_object_set_new(j, "verdict", json_string(verdict_name(u->verdict)));
        /* A message may quote a name that is not UTF-8. */
        json_object_set_new(j, "message", json_from_name(u->message ? u->message : ""));
    }
    if (u->tools)
        json_object_set_new(j, "tools", json_string(u->tools));
    return j;
}

/* A part of an assignment; everything is not written. */
static json_t *subset_to_json(const struct subset *s)
{
    return json_pack("{s:i, s:o, s:i, s:b}", "case", s->one_case ? s->case_index : -1, "size",
                     shape_to_json(s->size), "threads", s->threads, "timed", !s->untimed);
}

static int subset_from_json(json_t *j, struct subset *s)
{
    json_t *size = NULL;
    int timed = 1, index = -1;
    if (json_unpack(j, "{s:i, s:o, s:i, s:b}", "case", &index, "size", &size, "threads",
                    &s->threads, "timed", &timed) != 0 ||
        index < -1 || s->threads < 0 || shape_from_json(size, &s->size) != 0)
        return -1;
    s->one_case = index >= 0;
    s->case_index = s->one_case ? index : 0;
    s->untimed = !timed;
    return 0;
}

int plan_save(const struct plan *p, const char *run_dir, struct err *e)
{
    char seed[32];
    snprintf(seed, sizeof seed, "0x%016llx", (unsigned long long)p->seed);
    /* The seed is text: JSON numbers of other tools are doubles. */
    json_t *j = json_pack("{s:i, s:b, s:b, s:b, s:s, s:s, s:o, s:s, s:s, s:[], s:[]}", "format",
                          FORMAT_PLAN, "self_test", p->self_test, "sweep", p->sweep, "unprotected",
                          p->unprotected, "run_id", p->run_id, "created", p->created, "assignment",
                          json_from_name(p->assignment_path), "profile", p->profile, "seed", seed,
                          "submissions", "units");
    if (!j)
        return err_system(e, "cannot write the plan: a name in it is not text");
    if (p->roster_columns_count)
        json_object_set_new(j, "roster",
                            json_from_texts(p->roster_columns, p->roster_columns_count));
    if (p->overrides_path)
        json_object_set_new(j, "overrides", json_from_name(p->overrides_path));
    if (p->revision)
        json_object_set_new(j, "revision", json_integer(p->revision));
    if (p->revised)
        json_object_set_new(j, "revised", json_string(p->revised));
    if (subset_is_part(&p->only))
        json_object_set_new(j, "only", subset_to_json(&p->only));
    for (unsigned i = 0; i < p->submissions_count; i++)
        json_array_append_new(json_object_get(j, "submissions"),
                              submission_to_json(&p->submissions[i], p->roster_columns_count));
    for (unsigned i = 0; i < p->units_count; i++)
        json_array_append_new(json_object_get(j, "units"), unit_to_json(&p->units[i]));
    OWNED char *path = rundir_plan(run_dir);
    return json_write_file(path, j, e);
}

static int submission_from_json(json_t *j, unsigned roster_columns, struct submission *s)
{
    const char *id = NULL;
    json_t *name = NULL, *path = NULL, *roster = NULL;
    int reference = 0;
    if (json_unpack(j, "{s:s, s:o, s:o, s:b, s?o}", "id", &id, "name", &name, "path", &path,
                    "reference", &reference, "roster", &roster) != 0 ||
        (roster && json_array_size(roster) != roster_columns) ||
        take_time(j, "submitted", &s->submitted) != 0 ||
        take_time(j, "modified", &s->modified) != 0)
        return -1;
    s->id = xstrdup(id);
    s->name = name_from_json(name);
    s->path = name_from_json(path);
    s->is_reference = reference;
    s->roster_fields = roster ? texts_from_json(roster) : NULL;
    if (roster && !s->roster_fields)
        return -1;
    /* An id is a directory name in the run: it must not lead elsewhere. */
    return s->name && s->path && *id && !strchr(id, '/') && id[0] != '.' ? 0 : -1;
}

static int unit_from_json(json_t *j, int index, const struct plan *p, struct unit *u)
{
    const char *id = NULL, *verdict = NULL, *tools = NULL;
    json_t *source = NULL, *message = NULL;
    if (json_unpack(j, "{s:s, s:i, s:i, s?o, s?s, s?o, s?s}", "id", &id, "submission",
                    &u->submission, "tier", &u->tier, "source", &source, "verdict", &verdict,
                    "message", &message, "tools", &tools) != 0)
        return -1;
    u->index = index;
    u->id = xstrdup(id);
    u->source = source ? name_from_json(source) : NULL;
    u->preset = verdict != NULL;
    u->message = message ? name_from_json(message) : NULL;
    u->tools = tools ? xstrdup(tools) : NULL;
    if (u->submission < 0 || (unsigned)u->submission >= p->submissions_count || u->tier < 0)
        return -1;
    if (!*id || strchr(id, '/') || id[0] == '.' ||
        (source && (!u->source || !source_is_inside(u->source))))
        return -1;
    return verdict && !verdict_parse(verdict, &u->verdict) ? -1 : 0;
}

static int plan_from_json(json_t *j, const char *path, struct plan *p, struct err *e)
{
    const char *run_id, *created, *profile, *seed, *revised = NULL;
    json_t *assignment, *submissions, *units, *roster = NULL, *only = NULL, *overrides = NULL;
    json_error_t why;
    int format, sweep, self_test = 0, unprotected = 0, revision = 0;
    if (json_unpack_ex(
            j, &why, 0,
            "{s:i, s?b, s:b, s?b, s:s, s:s, s:o, s:s, s:s, s?o, s:o, s:o, s?o, s?i, s?o, s?s}",
            "format", &format, "self_test", &self_test, "sweep", &sweep, "unprotected",
            &unprotected, "run_id", &run_id, "created", &created, "assignment", &assignment,
            "profile", &profile, "seed", &seed, "roster", &roster, "submissions", &submissions,
            "units", &units, "only", &only, "revision", &revision, "overrides", &overrides,
            "revised", &revised) != 0 ||
        revision < 0)
        return err_input(e, "%s: not a plan: %s", path, why.text);
    if (format != FORMAT_PLAN)
        return err_input(e,
                         "%s: the run is in format %d, and this program reads format %d: report it "
                         "with the version that made it, or grade again",
                         path, format, FORMAT_PLAN);
    p->self_test = self_test;
    p->revision = (unsigned)revision;
    p->revised = revised ? xstrdup(revised) : NULL;
    p->sweep = sweep;
    p->unprotected = unprotected;
    p->run_id = xstrdup(run_id);
    p->created = xstrdup(created);
    p->profile = xstrdup(profile);
    p->assignment_path = name_from_json(assignment);
    p->overrides_path = overrides ? name_from_json(overrides) : NULL;
    if (!p->assignment_path)
        return err_input(e, "%s: 'assignment' is not a file name", path);
    if (only && subset_from_json(only, &p->only) != 0)
        return err_input(e, "%s: 'only' is damaged", path);
    if (parse_u64(seed, &p->seed, e) != 0)
        return err_context(e, "%s: seed", path);
    if (roster && !(p->roster_columns = texts_from_json(roster)))
        return err_input(e, "%s: 'roster' is not a list of column names", path);
    p->roster_columns_count = (unsigned)json_array_size(roster);
    p->submissions = xcalloc(json_array_size(submissions) + 1, sizeof *p->submissions);
    for (size_t i = 0; i < json_array_size(submissions); i++) {
        p->submissions_count++;
        if (submission_from_json(json_array_get(submissions, i), p->roster_columns_count,
                                 &p->submissions[i]) != 0)
            return err_input(e, "%s: submission %zu is damaged", path, i);
    }
    p->units = xcalloc(json_array_size(units) + 1, sizeof *p->units);
    for (size_t i = 0; i < json_array_size(units); i++) {
        p->units_count++;
        if (unit_from_json(json_array_get(units, i), (int)i, p, &p->units[i]) != 0 ||
            (i && p->units[i].submission < p->units[i - 1].submission))
            return err_input(e, "%s: unit %zu is damaged", path, i);
    }
    return 0;
}

int plan_load(const char *run_dir, struct plan **out, struct err *e)
{
    *out = NULL;
    OWNED char *path = rundir_plan(run_dir);
    struct json_reader rd = {path, ERR_INPUT, e, false};
    json_t *o = json_read_file(&rd, PLAN_MAX_BYTES);
    struct plan *p = o ? xcalloc(1, sizeof *p) : NULL;
    int rc = o ? plan_from_json(o, path, p, e) : -1;
    json_decref(o);
    if (rc != 0)
        plan_free(p);
    else
        *out = p;
    return rc;
}
