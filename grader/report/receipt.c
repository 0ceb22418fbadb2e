#include "report/receipt.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "model/source_name.h"
#include "model/unit_sources.h"
#include "report/adjust.h"
#include "report/table.h"
#include "rundir/parts.h"
#include "rundir/paths.h"
#include "rundir/resume_options.h"

enum { CANONICAL = JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17) };

/* --- digests ---------------------------------------------------------------------------------- */

void receipt_json_digest(const json_t *value, char out[DIGEST_HEX])
{
    OWNED char *text = json_dumps(value, CANONICAL | JSON_ENCODE_ANY);
    digest_bytes(text ? text : "", text ? strlen(text) : 0, out);
}

void receipt_submission_digest(const json_t *submission, char out[DIGEST_HEX])
{
    json_auto_t *rest = json_copy((json_t *)submission);
    json_object_del(rest, "receipt");
    receipt_json_digest(rest, out);
}

static void set_digest(json_t *o, const char *key, const json_t *value)
{
    char digest[DIGEST_HEX];
    receipt_json_digest(value, digest);
    json_object_set_new(o, key, json_string(digest));
}

/* --- files ------------------------------------------------------------------------------------ */

static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-%";

/* A file name is bytes, a key is UTF-8. A name with unsafe characters is rewritten; then its key
 * starts with '?', and no other key does. So two names never have the same key. */
static void add_name(struct strbuf *sb, const char *name)
{
    if (!name[strspn(name, safe)]) {
        strbuf_adds(sb, name);
        return;
    }
    strbuf_adds(sb, "?");
    for (const char *p = name; *p; p++) {
        if (*p != '%' && strchr(safe, *p))
            strbuf_add(sb, p, 1);
        else
            strbuf_addf(sb, "%%%02X", (unsigned char)*p);
    }
}

/* Part by part, so the slashes stay. */
static void add_path(struct strbuf *sb, const char *path)
{
    while (*path) {
        OWNED char *name = xasprintf("%.*s", (int)strcspn(path, "/"), path);
        add_name(sb, name);
        path += strlen(name);
        if (*path == '/')
            strbuf_add(sb, path++, 1);
    }
}

struct covered {
    const char *run;
    char **name; /* relative to the run */
    char (*digest)[DIGEST_HEX];
    size_t count;
};

static void add_file(void *arg, const char *relative, enum part p)
{
    struct covered *c = arg;
    if (p == PART_COUNT || !part_in_receipts(p))
        return;
    c->name = list_one_more(c->name, c->count, sizeof *c->name);
    c->name[c->count++] = xstrdup(relative);
}

/* Files are read side by side. */
static void digest_one(void *arg, size_t i)
{
    const struct covered *c = arg;
    OWNED char *path = xasprintf("%s/%s", c->run, c->name[i]);
    if (digest_file(path, c->digest[i], NULL) != 0)
        c->digest[i][0] = '\0';
}

json_t *receipt_files(const char *run_dir)
{
    struct covered c = {.run = run_dir};
    json_t *files = json_object();
    parts_visit(run_dir, add_file, &c);
    c.digest = xcalloc(c.count, sizeof *c.digest);
    parallel_for(c.count, digest_one, &c);
    for (size_t i = 0; i < c.count; i++) {
        FREED_BY(strbuf_free) struct strbuf key = STRBUF_INIT;
        add_path(&key, c.name[i]);
        json_object_set_new(files, key.s,
                            json_string(*c.digest[i] ? c.digest[i] : RECEIPT_UNREADABLE));
        free(c.name[i]);
    }
    free(c.name);
    free(c.digest);
    return files;
}

static bool is_table(const char *name)
{
    for (int i = 0; i < TABLE_COUNT; i++)
        if (strcmp(name, part_name(table_file[i])) == 0)
            return true;
    return false;
}

/* Does a key belong to this name in the run directory? */
static bool is_or_lies_in(const char *key, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(key, name, n) == 0 && (!key[n] || key[n] == '/');
}

/* Only the tables are digested again. They stand where receipt_files() would list them. */
static json_t *with_tables(const char *run_dir, json_t *files)
{
    OWNED_TEXTS char **names = NULL;
    json_t *all = json_object(), *value;
    const char *key;
    size_t n;
    if (fs_list(run_dir, &names, &n, NULL) != 0)
        return all;
    for (size_t i = 0; i < n; i++) {
        OWNED char *path = xasprintf("%s/%s", run_dir, names[i]);
        char digest[DIGEST_HEX];
        if (is_table(names[i])) {
            const bool readable = digest_file(path, digest, NULL) == 0;
            json_object_set_new(all, names[i], json_string(readable ? digest : RECEIPT_UNREADABLE));
            continue;
        }
        json_object_foreach(files, key, value)
        {
            if (is_or_lies_in(key, names[i]))
                json_object_set(all, key, value);
        }
    }
    return all;
}

void receipt_add_files(json_t *doc, const char *run_dir, json_t *before)
{
    json_t *files = with_tables(run_dir, before);
    json_object_set_new(doc, "files", files);
    set_digest(doc, "files_sha256", files);
}

/* --- the document ----------------------------------------------------------------------------- */

/* Names may be bytes that are not UTF-8. */
static json_t *escaped(const char *s)
{
    json_t *j = json_string(s ? s : "");
    if (j)
        return j;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    add_name(&sb, s);
    j = json_string(sb.s);
    return j;
}

/* Of a file in the run directory, as receipt_files() found it; null: it cannot be read. `path` is
 * freed. */
static json_t *digest_of(const struct run *r, const json_t *files, char *path)
{
    FREED_BY(strbuf_free) struct strbuf key = STRBUF_INIT;
    add_path(&key, path + strlen(r->dir) + 1);
    free(path);
    const char *digest = json_string_value(json_object_get(files, key.s));
    return digest && strcmp(digest, RECEIPT_UNREADABLE) != 0 ? json_string(digest) : json_null();
}

/* The files of matrices that sizes name. */
static json_t *matrices_json(const struct run *r, const json_t *files)
{
    const struct matrix_files *m = r->assignment->matrices;
    json_t *o = json_object();
    for (unsigned i = 0; i < m->count; i++) {
        json_object_set_new(o, m->matrix[i]->structure.file,
                            digest_of(r, files, rundir_matrix(r->dir, m->matrix[i])));
    }
    return o;
}

/* The kernel file and its trusted source. */
static json_t *kernel_json(const struct run *r, const json_t *files)
{
    const struct kernel_file *f = r->assignment->kernel_file;
    const char *names[KERNEL_FILE_PARTS];
    json_t *o = json_object();
    kernel_file_parts(f, names);
    for (int i = 0; names[i]; i++)
        json_object_set_new(o, names[i], digest_of(r, files, rundir_kernel_file(r->dir, names[i])));
    return o;
}

static json_t *run_json(const struct run *r, const struct receipt_before *before)
{
    const json_t *files = before->files;
    char seed[32];
    snprintf(seed, sizeof seed, "0x%016llx", (unsigned long long)r->plan->seed);
    json_t *o = json_object();
    json_object_set_new(o, "run", escaped(r->plan->run_id));
    json_object_set_new(o, "created", escaped(r->plan->created));
    json_object_set_new(o, "assignment", escaped(r->assignment->name));
    json_object_set_new(o, "assignment_sha256", digest_of(r, files, rundir_assignment(r->dir)));
    if (r->assignment->matrices->count)
        json_object_set_new(o, "matrices_sha256", matrices_json(r, files));
    if (r->assignment->kernel_file)
        json_object_set_new(o, "kernel_sha256", kernel_json(r, files));
    json_object_set_new(o, "plan_sha256",
                        before->plan_sha256 ? json_string(before->plan_sha256)
                                            : digest_of(r, files, rundir_plan(r->dir)));
    json_object_set_new(o, "profile", escaped(r->plan->profile));
    json_object_set_new(o, "seed", json_string(seed));
    json_object_set_new(o, "rounding", json_real(r->assignment->rounding));
    json_object_set_new(
        o, "benefit",
        json_string(r->assignment->benefit == BENEFIT_INTERVAL ? "interval" : "none"));
    json_object_set_new(o, "tools",
                        before->tools ? json_incref((json_t *)before->tools)
                                      : resume_options_tools(r->dir));
    json_object_set_new(
        o, "reported_by",
        escaped(before->reported_by ? before->reported_by : "paragrade " PARAGRADE_VERSION));
    return o;
}

/* Submissions are taken side by side. */
struct making {
    const struct run *run;
    const struct results *results;
    const struct scoreboard *board;
    const json_t *files;
    const char *run_digest;
    json_t **submission;
};

static void add_digests(json_t *o, const struct making *m, const char *dir, char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        FREED_BY(strbuf_free) struct strbuf key = STRBUF_INIT;
        add_path(&key, names[i]);
        json_object_set_new(o, key.s,
                            digest_of(m->run, m->files, xasprintf("%s/%s", dir, names[i])));
    }
}

/* The files that the compile command could read: sources and headers of the submission, and the
 * instructor's adapter. */
static json_t *sources_json(const struct making *m, char *const *names, const struct unit *u)
{
    const struct run *r = m->run;
    json_t *o = json_object();
    const struct submission *by = &r->plan->submissions[u->submission];
    const struct tier *t = &r->assignment->tiers[u->tier];
    if (u->source && names) {
        OWNED char *dir = rundir_sources(r->dir, by->id);
        struct unit_sources s;
        unit_sources_among(names, t, u->source, &s);
        add_digests(o, m, dir, s.compiled);
        add_digests(o, m, dir, s.headers);
        unit_sources_free(&s);
    }
    if (u->source && tier_adapts(t, by->is_reference))
        json_object_set_new(o, ADAPTER_NAME, digest_of(r, m->files, rundir_adapter(r->dir, t)));
    return o;
}

/* Of the raw times, with all their digits. */
static void samples_digest(const struct unit_result *u, unsigned *count, char out[DIGEST_HEX])
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    *count = 0;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        char launch[LAUNCH_TEXT];
        launch_format(c->launch, launch);
        for (unsigned k = 0; k < c->samples_count; k++) {
            const struct sample *x = &c->samples[k];
            const double times[] = {x->alone, x->other,      x->yardstick,
                                    x->unit,  x->end_to_end, x->device};
            strbuf_addf(&sb, "%d %s %d %d", c->case_index, launch, x->start, x->reps);
            for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
                strbuf_adds(&sb, " ");
                number_add(&sb, times[t], 17);
            }
            strbuf_adds(&sb, "\n");
            ++*count;
        }
    }
    digest_bytes(sb.s, sb.len, out);
}

static json_t *override_json(const struct run *r, int submission, int unit)
{
    OWNED char *text = adjust_text(r, submission, unit);
    return *text ? escaped(text) : json_null();
}

/* names: of the submission's files; NULL: they cannot be listed. */
static json_t *unit_json(const struct making *m, char *const *names, unsigned i)
{
    const struct run *r = m->run;
    const struct results *res = m->results;
    const struct unit *u = &r->plan->units[i];
    const struct unit_result *ur = res->unit[i];
    const struct unit_score *s = &m->board->unit[i];
    /* What has run has a node. A result of a unit without one came later, as does one of a unit
     * whose first result counts. */
    const bool has = *ur->host && !res->first[i];
    json_t *result = has ? digest_of(r, m->files, rundir_result(r->dir, u->id)) : json_null();
    json_t *node = ur->yardstick[0]
                       ? digest_of(r, m->files, rundir_node(r->dir, ur->host, ur->yardstick))
                       : json_null();
    char samples[DIGEST_HEX];
    unsigned count;
    samples_digest(ur, &count, samples);
    json_t *o = json_object();
    json_object_set_new(o, "unit", escaped(u->id));
    json_object_set_new(o, "verdict", escaped(verdict_name(ur->verdict)));
    json_object_set_new(o, "points", json_real(s->points));
    json_object_set_new(o, "scored_points", json_real(s->scored));
    json_object_set_new(o, "late_penalty", json_real(s->late_penalty));
    json_object_set_new(o, "override", override_json(r, u->submission, (int)i));
    json_object_set_new(o, "max_points", json_real(s->max_points));
    json_object_set_new(o, "counted", json_boolean(s->counted));
    json_object_set_new(o, "source", escaped(u->source));
    json_object_set_new(o, "sources_sha256", sources_json(m, names, u));
    json_object_set_new(o, "compile", escaped(ur->build_command));
    json_object_set_new(o, "compiler", escaped(ur->compiler));
    json_object_set_new(o, "node", escaped(ur->host));
    json_object_set_new(o, "node_sha256", node);
    json_object_set_new(o, "protections", protection_json(ur->protections));
    json_object_set_new(o, "job", escaped(ur->job));
    json_object_set_new(o, "started", escaped(ur->started));
    if (u->tools) /* of another grader than run.tools */
        json_object_set_new(o, "tools_sha256", escaped(u->tools));
    json_object_set_new(o, "retries", json_integer(res->attempts[i]));
    json_object_set_new(o, "samples", json_integer(count));
    json_object_set_new(o, "samples_sha256", json_string(samples));
    json_object_set_new(o, "result_sha256", result);
    return o;
}

static json_t *submission_json(const struct making *m, unsigned i)
{
    const struct run *r = m->run;
    const struct submission *s = &r->plan->submissions[i];
    const struct submission_score *score = &m->board->submission[i];
    OWNED char *dir = rundir_sources(r->dir, s->id);
    OWNED_TEXTS char **names = NULL;
    unit_sources_list(dir, &names, NULL);
    json_t *o = json_object(), *units = json_array();
    json_object_set_new(o, "id", escaped(s->id));
    json_object_set_new(o, "name", escaped(s->name));
    json_object_set_new(o, "run_sha256", json_string(m->run_digest));
    json_object_set_new(o, "points", json_real(score->points));
    json_object_set_new(o, "max_points", json_real(score->max_points));
    json_object_set_new(o, "uncounted", json_integer(score->uncounted));
    json_object_set_new(o, "late_seconds", json_integer(score->late_s));
    json_object_set_new(o, "override", override_json(r, (int)i, -1));
    const struct unit_range mine = plan_units_of(r->plan, (int)i);
    for (unsigned u = mine.first; u < mine.end; u++)
        if (m->results->unit[u])
            json_array_append_new(units, unit_json(m, names, u));
    json_object_set_new(o, "units", units);
    char digest[DIGEST_HEX];
    receipt_submission_digest(o, digest);
    json_object_set_new(o, "receipt", json_string(digest));
    return o;
}

static void make_submission(void *arg, size_t i)
{
    const struct making *m = arg;
    m->submission[i] = submission_json(m, (unsigned)i);
}

static json_t *submissions_json(struct making m)
{
    const unsigned n = m.run->plan->submissions_count;
    json_t *list = json_array();
    m.submission = xcalloc(n, sizeof(json_t *));
    parallel_for(n, make_submission, &m);
    for (unsigned i = 0; i < n; i++)
        json_array_append_new(list, m.submission[i]);
    free(m.submission);
    return list;
}

int receipt_make(const struct run *r, const struct results *res, const struct scoreboard *b,
                 const struct receipt_before *before, json_t **out, struct err *e)
{
    json_t *doc = json_object(), *run = run_json(r, before);
    json_object_set_new(doc, "format", json_integer(RECEIPT_FORMAT));
    json_object_set_new(doc, "run", run);
    set_digest(doc, "run_sha256", run);
    json_object_set_new(doc, "units_left", json_integer(results_left(res)));
    const char *run_digest = json_string_value(json_object_get(doc, "run_sha256"));
    json_object_set_new(
        doc, "submissions",
        submissions_json((struct making){r, res, b, before->files, run_digest, NULL}));
    *out = doc;
    return doc ? 0 : err_system(e, "%s: no receipts can be made: out of memory", r->dir);
}

const char *receipt_of(const json_t *doc, unsigned submission)
{
    const json_t *s = json_array_get(json_object_get(doc, "submissions"), submission);
    const char *digest = json_string_value(json_object_get(s, "receipt"));
    return digest ? digest : "";
}

int receipt_save(const char *run_dir, json_t *doc, struct err *e)
{
    OWNED char *path = rundir_receipts(run_dir);
    return json_write_file(path, json_incref(doc), e);
}

int receipt_run_digest(const char *run_dir, char out[DIGEST_HEX], struct err *e)
{
    OWNED char *path = rundir_receipts(run_dir);
    return digest_file(path, out, e);
}

json_t *receipt_load(const char *run_dir)
{
    OWNED char *path = rundir_receipts(run_dir);
    struct json_reader rd = {path, ERR_SYSTEM, NULL, false};
    return json_read_file(&rd, RECEIPT_MOST);
}
