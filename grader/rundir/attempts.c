#include "rundir/attempts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/json.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { RECORD_MAX_BYTES = 64 << 10 };

bool attempt_has_result(const char *run, const char *unit_id)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    /* Opening the directory makes an NFS client ask the server whether it changed. */
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    bool there = fstatat(fd, part_name(PART_RESULT), &st, AT_SYMLINK_NOFOLLOW) == 0;
    close(fd);
    return there;
}

/* Does a file name belong to an attempt with that tag? "infra-local.json" and "infra-local-5f.json"
 * do to "local". */
static bool of_tag(const char *name, enum part kind, const char *tag)
{
    const char *of = strchr(name, '-');
    size_t n = strlen(tag);
    return of && part_has_name(kind, name) && strncmp(of + 1, tag, n) == 0 &&
           (of[1 + n] == '.' || of[1 + n] == '-');
}

static bool has_file(const char *run, const char *unit_id, enum part kind, const char *tag)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    bool there = false;
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++)
            there = there || of_tag(names[i], kind, tag);
    }
    return there;
}

bool attempt_has_failure(const char *run, const char *unit_id, const char *tag)
{
    return has_file(run, unit_id, PART_FAILURE, tag);
}

bool attempt_under_way(const char *run, const char *unit_id, const char *tag)
{
    return has_file(run, unit_id, PART_ATTEMPT, tag) && !has_file(run, unit_id, PART_FAILURE, tag);
}

static int make_directory(const char *run, const char *unit_id, struct err *e)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    return fs_mkdirs(dir, e);
}

static void set_if(json_t *o, const char *key, const char *text)
{
    if (text)
        json_object_set_new(o, key, json_printable(text));
}

int attempt_begin(const char *run, const char *unit_id, const struct attempt_start *a,
                  struct err *e)
{
    char when[40];
    if (make_directory(run, unit_id, e) != 0)
        return -1;
    clock_utc(when, sizeof when);
    json_t *o = json_object();
    set_if(o, "host", a->host);
    set_if(o, "job", a->job);
    set_if(o, "when", when);
    OWNED char *path = rundir_attempt(run, unit_id, a->tag);
    return json_publish_file(path, o, e);
}

char *attempt_job(const char *run, const char *unit_id, const char *tag)
{
    OWNED char *path = rundir_attempt(run, unit_id, tag);
    struct json_reader rd = {.path = path};
    json_auto_t *o = json_read_file(&rd, RECORD_MAX_BYTES);
    const char *job = json_string_value(json_object_get(o, "job"));
    return job ? xstrdup(job) : NULL;
}

int attempt_starts(const char *run, const char *unit_id, const char *kind)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int starts = 0;
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++)
            starts += part_has_name(PART_ATTEMPT, names[i]) &&
                      strncmp(strchr(names[i], '-') + 1, kind, strlen(kind)) == 0;
    }
    return starts;
}

int attempt_fail(const char *run, const char *unit_id, const struct attempt_failure *f,
                 struct err *e)
{
    char when[40];
    if (make_directory(run, unit_id, e) != 0)
        return -1;
    clock_utc(when, sizeof when);
    json_t *o = json_object();
    set_if(o, "reason", f->reason);
    set_if(o, "host", f->host ? f->host : "");
    set_if(o, "job", f->job);
    set_if(o, "when", when);
    set_if(o, "node", f->node);
    if (f->cancelled)
        json_object_set_new(o, "cancelled", json_true());
    if (f->unexplained)
        json_object_set_new(o, "unexplained", json_true());
    if (f->postponed)
        json_object_set_new(o, "postponed", json_true());
    OWNED char *path = rundir_failure(run, unit_id, f->tag);
    int rc = json_publish_file(path, o, e);
    return rc < 0 ? -1 : 0;
}

/* Is a file of a unit a key of `files`? Without `files`, every one is. */
static bool is_among(const json_t *files, const char *unit_id, const char *name)
{
    OWNED char *relative = xasprintf("units/%s/%s", unit_id, name);
    return !files || json_object_get(files, relative);
}

/* Call fn for every record of failure of a unit that is among `files` (NULL: for all); with NULL
 * for one that cannot be read. */
static void each_failure(const char *run, const char *unit_id, const json_t *files,
                         void (*fn)(const json_t *record, void *ctx), void *ctx)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            if (!part_has_name(PART_FAILURE, names[i]) || !is_among(files, unit_id, names[i]))
                continue;
            OWNED char *path = xasprintf("%s/%s", dir, names[i]);
            struct json_reader rd = {.path = path};
            json_auto_t *o = json_read_file(&rd, RECORD_MAX_BYTES);
            fn(o, ctx);
        }
    }
}

static void count_one(const json_t *record, void *ctx)
{
    struct attempt_count *c = ctx;
    c->failures++;
    c->cancelled += json_is_true(json_object_get(record, "cancelled"));
    c->unexplained += json_is_true(json_object_get(record, "unexplained"));
    c->postponed += json_is_true(json_object_get(record, "postponed"));
}

struct attempt_count attempt_failures(const char *run, const char *unit_id)
{
    struct attempt_count c = {0};
    each_failure(run, unit_id, NULL, count_one, &c);
    return c;
}

struct newest {
    char when[64];
    char *reason;
};

static void keep_newest(const json_t *record, void *ctx)
{
    struct newest *n = ctx;
    const char *reason = json_string_value(json_object_get(record, "reason"));
    const char *when = json_string_value(json_object_get(record, "when"));
    if (!reason || !when || (n->reason && strcmp(when, n->when) < 0))
        return;
    snprintf(n->when, sizeof n->when, "%s", when);
    free(n->reason);
    n->reason = xstrdup(reason);
}

char *attempt_last_reason(const char *run, const char *unit_id)
{
    struct newest n = {.reason = NULL};
    each_failure(run, unit_id, NULL, keep_newest, &n);
    return n.reason;
}

struct attempt_count attempt_failures_among(const char *run, const char *unit_id,
                                            const json_t *files, char **reason)
{
    struct attempt_count c = {0};
    struct newest n = {.reason = NULL};
    each_failure(run, unit_id, files, count_one, &c);
    each_failure(run, unit_id, files, keep_newest, &n);
    *reason = n.reason;
    return c;
}

static bool listed(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == n && strncmp(p, word, n) == 0)
            return true;
    return false;
}

static void add_node(const json_t *record, void *ctx)
{
    struct strbuf *list = ctx;
    const char *node = json_string_value(json_object_get(record, "node"));
    if (!node)
        node = json_string_value(json_object_get(record, "host"));
    if (json_is_true(json_object_get(record, "postponed")))
        return;
    if (node && *node && !strpbrk(node, ",[] \t\n") && !listed(list->s, node))
        strbuf_addf(list, "%s%s", list->len ? "," : "", node);
}

void attempt_failed_nodes(const char *run, const char *unit_id, struct strbuf *list)
{
    each_failure(run, unit_id, NULL, add_node, list);
}
