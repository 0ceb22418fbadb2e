#include "plan/rehearsal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/cases.h"
#include "model/source_name.h"
#include "plan/source_choice.h"

enum { FILES_MOST = 32 };

/* --- the files of a tier ---------------------------------------------------------------------- */

struct files {
    char *name[FILES_MOST];
    int count;
};

static void files_free(struct files *f)
{
    for (int i = 0; i < f->count; i++)
        free(f->name[i]);
    f->count = 0;
}

static bool has(const struct files *f, const char *name)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->name[i], name) == 0)
            return true;
    return false;
}

static int read_source(const struct assignment *a, const char *name, char **text, size_t *len,
                       struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", a->reference, name);
    return fs_read(path, a->limits.source_bytes, text, len, e);
}

/* Does a name lead out of the directory? Then the header is no part of a submission. */
static bool leads_out(const char *name)
{
    for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
        if (strcspn(p, "/") == 2 && strncmp(p, "..", 2) == 0)
            return true;
    return false;
}

/* Add what a text includes from the reference's own directory. */
static void add_includes(const struct assignment *a, const char *text, struct files *f)
{
    static const char directive[] = "#include \"";
    for (const char *p = text; (p = strstr(p, directive)); p++) {
        const char *from = p + sizeof directive - 1;
        OWNED char *name = xasprintf("%.*s", (int)strcspn(from, "\"\n"), from);
        OWNED char *path = xasprintf("%s/%s", a->reference, name);
        if (f->count < FILES_MOST && source_is_header(name) && !leads_out(name) &&
            fs_exists(path) && !has(f, name))
            f->name[f->count++] = xstrdup(name);
    }
}

/* The source, and the headers that it includes, directly or not. */
static int find_files(const struct assignment *a, const char *source, struct files *f,
                      struct err *e)
{
    *f = (struct files){.name = {xstrdup(source)}, .count = 1};
    for (int i = 0; i < f->count; i++) {
        OWNED char *text = NULL;
        size_t len;
        if (read_source(a, f->name[i], &text, &len, e) != 0)
            return -1;
        add_includes(a, text, f);
    }
    return 0;
}

/* --- the choice ------------------------------------------------------------------------------- */

static void add_mutant(struct rehearsal *r, const struct rehearsal_mutant *m)
{
    r->item = xrealloc_array(r->item, r->count + 1, sizeof *r->item);
    r->item[r->count++] = *m;
}

/* All changes of one file in a tier. */
static int add_file(struct rehearsal *r, int tier, const char *source, const char *file,
                    struct strbuf *key, struct err *e)
{
    FREED_BY(mutant_list_free) struct mutant_list l = {0};
    char *text, hash[HASH_HEX];
    size_t len;
    if (read_source(r->assignment, file, &text, &len, e) != 0)
        return -1;
    hash_bytes(text, len, hash);
    strbuf_addf(key, "%s %s\n", file, hash);
    mutants_of(r->assignment->tiers[tier].kernel, text, len, &l);
    for (size_t i = 0; i < l.count; i++) {
        const struct rehearsal_mutant m = {.tier = tier,
                                           .source = xstrdup(source),
                                           .file = xstrdup(file),
                                           .text = mutant_text(&l.item[i], text, len),
                                           .mutant = l.item[i]};
        add_mutant(r, &m);
    }
    free(text);
    return 0;
}

static void release(struct rehearsal_mutant *m)
{
    free(m->source);
    free(m->file);
    free(m->text);
}

/* Keep `most` of those from `first` on, chosen by the seed. */
static void choose(struct rehearsal *r, size_t first, size_t most, uint64_t seed)
{
    const size_t n = r->count - first;
    struct rehearsal_mutant *x = r->item + first;
    for (size_t i = 0; i + 1 < n; i++) { /* Fisher-Yates shuffle */
        const size_t j = i + rng_at(seed, i) % (n - i);
        const struct rehearsal_mutant t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
    for (size_t i = most; i < n; i++)
        release(&x[i]);
    r->count = first + (n < most ? n : most);
}

static bool is_wanted(const struct rehearsal_request *req, const struct tier *t)
{
    for (size_t i = 0; i < req->tiers_count; i++)
        if (strcmp(req->tiers[i], t->name) == 0)
            return true;
    return !req->tiers_count && !launch_kind_has(t->kind, KIND_DEVICE) && !t->reference_only;
}

/* The file of the reference for a tier; *source is NULL if there is none. Tiers of several files,
 * and those with an adapter that the reference does without, are left out. */
static int source_of(const struct assignment *a, const struct tier *t, char **source, struct err *e)
{
    struct choice c;
    const int rc = choose_source(a->reference, a, t, true, &c, e);
    *source =
        c.source && !c.preset && !t->with_count && !tier_adapts(t, false) == !tier_adapts(t, true)
            ? xstrdup(c.source)
            : NULL;
    free(c.message);
    return rc;
}

static int add_tier(struct rehearsal *r, int tier, struct strbuf *key, struct err *e)
{
    FREED_BY(files_free) struct files f = {.count = 0};
    OWNED char *source = NULL;
    int rc = source_of(r->assignment, &r->assignment->tiers[tier], &source, e);
    if (source)
        rc = find_files(r->assignment, source, &f, e);
    for (int i = 0; i < f.count && rc == 0; i++)
        rc = add_file(r, tier, source, f.name[i], key, e);
    return rc;
}

static int check_names(const struct rehearsal_request *req, const struct assignment *a,
                       struct err *e)
{
    for (size_t i = 0; i < req->tiers_count; i++)
        if (assignment_tier(a, req->tiers[i]) < 0)
            return err_input(e, "--tier: the assignment %s has no tier '%.60s'", a->name,
                             req->tiers[i]);
    return 0;
}

/* The cases follow from the assignment, and from the edge shapes of its kernel. */
static void add_cases(const struct assignment *a, struct strbuf *key)
{
    FREED_BY(case_list_free) struct case_list cases = {0};
    cases_make(a, a->seed, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        char shape[SHAPE_TEXT];
        shape_format(cases.item[i].shape, shape);
        strbuf_addf(key, "%s %d\n", shape, (int)cases.item[i].values);
    }
}

int rehearsal_make(const struct rehearsal_request *req, struct rehearsal *out, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf key = STRBUF_INIT;
    char hash[DIGEST_HEX];
    size_t tiers = 0;
    *out = (struct rehearsal){0};
    if (assignment_load(req->assignment, &out->assignment, e) != 0 ||
        check_names(req, out->assignment, e) != 0 || digest_file(req->assignment, hash, e) != 0)
        return -1;
    const struct assignment *a = out->assignment;
    strbuf_addf(&key, "%s %llu %d %s\n", hash, (unsigned long long)req->seed, req->most,
                req->profile ? req->profile : "");
    add_cases(a, &key);
    for (unsigned t = 0; t < a->tiers_count; t++)
        tiers += is_wanted(req, &a->tiers[t]);
    int rc = 0;
    for (unsigned t = 0; t < a->tiers_count && rc == 0; t++) {
        const size_t first = out->count;
        if (!is_wanted(req, &a->tiers[t]))
            continue;
        strbuf_addf(&key, "%s\n", a->tiers[t].name);
        rc = add_tier(out, (int)t, &key, e);
        out->places += out->count - first;
        const size_t share = tiers ? ((size_t)req->most + tiers - 1) / tiers : 0;
        choose(out, first, share, rng_child(req->seed, t));
    }
    if (rc == 0 && !out->count)
        rc = err_input(e, "%s: the reference has no C source that can be changed", req->assignment);
    for (size_t i = 0; i < out->count; i++)
        snprintf(out->item[i].id, sizeof out->item[i].id, "m%03zu", i + 1);
    hash_bytes(key.s, key.len, out->key);
    return rc;
}

void rehearsal_free(struct rehearsal *r)
{
    for (size_t i = 0; i < r->count; i++)
        release(&r->item[i]);
    free(r->item);
    assignment_free(r->assignment);
    *r = (struct rehearsal){0};
}

/* --- the submissions -------------------------------------------------------------------------- */

static int write_file(const char *path, const char *text, size_t len, struct err *e)
{
    return fs_mkdirs_for(path, e) == 0 ? fs_write_atomic(path, text, len, e) : -1;
}

static int write_one(const struct rehearsal *r, const struct rehearsal_mutant *m, bool probe,
                     const char *dir, struct err *e)
{
    FREED_BY(files_free) struct files f = {.count = 0};
    const char *below = r->assignment->directory;
    const bool there = strncmp(m->source, below, strlen(below)) == 0;
    OWNED char *to = xasprintf("%s/%s/%s", dir, m->id, there ? "" : below);
    int rc = find_files(r->assignment, m->source, &f, e);
    for (int i = 0; i < f.count && rc == 0; i++) {
        char *text, *path = xasprintf("%s/%s", to, f.name[i]);
        size_t len;
        rc = read_source(r->assignment, f.name[i], &text, &len, e);
        if (rc == 0 && strcmp(f.name[i], m->file) == 0) {
            char *changed =
                probe ? mutant_probe(&m->mutant, text, len) : mutant_apply(&m->mutant, text, len);
            free(text);
            text = changed;
            len = strlen(text);
        }
        if (rc == 0) {
            rc = write_file(path, text, len, e);
            free(text);
        }
        free(path);
    }
    return rc;
}

int rehearsal_write(const struct rehearsal *r, const bool *which, bool probes, const char *dir,
                    struct err *e)
{
    for (size_t i = 0; i < r->count; i++)
        if ((!which || which[i]) && write_one(r, &r->item[i], probes, dir, e) != 0)
            return -1;
    return 0;
}
