/*
 * The file can be large, because it holds the output of every autograder. So it is read event by
 * event:
 *
 *   submission_12345678:
 *     :submitters:
 *     - :name: Anna Jones
 *       :sid: '12345'
 *       :email: anna@example.org
 *     :created_at: 2026-03-12 22:59:00.123456000 Z
 */
#include "import/submission_metadata.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/instant.h"
#include "base/strbuf.h"

enum {
    DEPTH_MOST = 100,
    SUBMISSION = 1, /* depth of the fields of a submission */
    SUBMITTERS = 2, /* of the list */
    SUBMITTER = 3,  /* of the fields of a person */
};

struct level {
    bool mapping;
    bool has_key; /* the next scalar is the value of `key` */
    char *key;
};

struct reading {
    struct level level[DEPTH_MOST];
    int depth;    /* index of the innermost level; -1: outside */
    size_t first; /* submitter of the current submission */
    bool timed;
    int64_t created;
    struct submission_metadata *out;
};

static bool key_is(const struct reading *r, int depth, const char *key)
{
    const struct level *l = &r->level[depth];
    return l->mapping && l->key && strcmp(l->key, key) == 0;
}

static bool in_person(const struct reading *r)
{
    return r->depth == SUBMITTER && r->level[SUBMITTER].mapping && !r->level[SUBMITTERS].mapping &&
           key_is(r, SUBMISSION, ":submitters");
}

static void add_submitter(struct reading *r)
{
    static const char prefix[] = "submission_";
    const char *key = r->level[0].key ? r->level[0].key : "";
    if (strncmp(key, prefix, strlen(prefix)) == 0)
        key += strlen(prefix);
    struct submission_metadata *m = r->out;
    m->item = xrealloc_array(m->item, m->count + 1, sizeof *m->item);
    m->item[m->count++] =
        (struct submitter){xstrdup(key), xstrdup(""), xstrdup(""), xstrdup(""), false, 0};
}

static void set_text(char **field, const char *value)
{
    free(*field);
    *field = xstrdup(value);
}

static void on_value(struct reading *r, const char *key, const char *value)
{
    struct submitter *s = r->out->count ? &r->out->item[r->out->count - 1] : NULL;
    if (r->depth == SUBMISSION && strcmp(key, ":created_at") == 0)
        r->timed = instant_parse_local(value, &r->created, NULL) == 0;
    if (!s || !in_person(r))
        return;
    if (strcmp(key, ":name") == 0)
        set_text(&s->name, value);
    else if (strcmp(key, ":sid") == 0)
        set_text(&s->sid, value);
    else if (strcmp(key, ":email") == 0)
        set_text(&s->email, value);
}

static void on_scalar(struct reading *r, const char *text)
{
    if (r->depth < 0 || !r->level[r->depth].mapping)
        return;
    struct level *l = &r->level[r->depth];
    if (l->has_key) {
        on_value(r, l->key, text);
    } else {
        set_text(&l->key, text);
    }
    l->has_key = !l->has_key;
}

static int on_start(struct reading *r, bool mapping)
{
    if (r->depth + 1 == DEPTH_MOST)
        return -1;
    if (r->depth >= 0)
        r->level[r->depth].has_key = false; /* its value begins */
    r->level[++r->depth] = (struct level){.mapping = mapping};
    if (r->depth == SUBMISSION) {
        r->first = r->out->count;
        r->timed = false;
    }
    if (in_person(r))
        add_submitter(r);
    return 0;
}

static void on_end(struct reading *r)
{
    if (r->depth == SUBMISSION)
        for (size_t i = r->first; i < r->out->count; i++) {
            r->out->item[i].timed = r->timed;
            r->out->item[i].created = r->created;
        }
    free(r->level[r->depth].key);
    r->level[r->depth--].key = NULL;
}

/* 1: more follows; 0: the end; -1: nested too deeply. */
static int on_event(struct reading *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        on_scalar(r, (const char *)event->data.scalar.value);
        return 1;
    case YAML_ALIAS_EVENT:
        on_scalar(r, "");
        return 1;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return on_start(r, event->type == YAML_MAPPING_START_EVENT) == 0 ? 1 : -1;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        on_end(r);
        return 1;
    case YAML_STREAM_END_EVENT:
        return 0;
    default:
        return 1;
    }
}

static int read_events(yaml_parser_t *p, struct reading *r, const char *path, struct err *e)
{
    int more = 1;
    while (more == 1) {
        yaml_event_t event;
        if (!yaml_parser_parse(p, &event))
            return err_input(e, "%s:%zu: %s", path, p->problem_mark.line + 1,
                             p->problem ? p->problem : "not YAML");
        more = on_event(r, &event);
        if (more < 0)
            err_input(e, "%s:%zu: nested too deeply", path, event.start_mark.line + 1);
        yaml_event_delete(&event);
    }
    return more;
}

int submission_metadata_read(const char *path, struct submission_metadata *out, struct err *e)
{
    struct reading r = {.depth = -1, .out = out};
    yaml_parser_t p;
    *out = (struct submission_metadata){0};
    FILE *f = fopen(path, "re");
    if (!f)
        return err_input(e, "%s: %s", path, strerror(errno));
    int rc = -1;
    if (yaml_parser_initialize(&p)) {
        yaml_parser_set_input_file(&p, f);
        rc = read_events(&p, &r, path, e);
        yaml_parser_delete(&p);
    } else {
        err_system(e, "%s: libyaml cannot start", path);
    }
    while (r.depth >= 0)
        free(r.level[r.depth--].key);
    fclose(f);
    return rc;
}

void submission_metadata_free(struct submission_metadata *m)
{
    for (size_t i = 0; i < m->count; i++) {
        free(m->item[i].number);
        free(m->item[i].name);
        free(m->item[i].sid);
        free(m->item[i].email);
    }
    free(m->item);
    *m = (struct submission_metadata){0};
}
