#include "report/similar_sources.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "model/macros.h"
#include "model/unit_sources.h"
#include "rundir/paths.h"

enum { PLACES_MOST = 5, FILE_MOST = 1 << 24 };

/* The sources of one tier while they are compared. */
struct tier_sources {
    const struct run *run;
    char **const *names;  /* of the files of each submission; NULL: they cannot be listed */
    struct similarity *s; /* with their own macros expanded */
    int *unit;            /* by number of the source */
    char **file;          /* names, by number */
    unsigned files;
    struct similar_row *rows;
    size_t count;
};

/* The files of one source, or of the template. */
struct texts {
    struct source_text {
        const char *name; /* borrowed */
        char *text;
        size_t len;
    } * item;
    size_t count;
    struct strbuf all;
};

/* A file that cannot be read is left out. */
static void read_source(struct texts *t, const char *dir, const char *name)
{
    struct err e = ERR_INIT;
    struct source_text x = {.name = name};
    OWNED char *path = xasprintf("%s/%s", dir, name);
    if (fs_read(path, FILE_MOST, &x.text, &x.len, &e) == 0) {
        t->item = xrealloc_array(t->item, t->count + 1, sizeof *t->item);
        t->item[t->count++] = x;
        strbuf_add(&t->all, x.text, x.len);
    }
}

static void texts_end(struct texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->item[i].text);
    free(t->item);
    strbuf_free(&t->all);
}

/* Add them to the source that was begun last, or to what was given. */
static void add_texts(struct tier_sources *c, const struct texts *t, bool given)
{
    struct macros *m = macros_new();
    for (size_t i = 0; i < t->count; i++)
        macros_define(m, t->item[i].text, t->item[i].len);
    for (size_t i = 0; i < t->count; i++) {
        const struct source_text *x = &t->item[i];
        size_t len;
        OWNED char *expanded = macros_expand(m, x->text, x->len, &len);
        if (given) {
            similarity_given(c->s, expanded, len);
        } else {
            c->file = list_one_more(c->file, c->files, sizeof *c->file);
            c->file[c->files] = xstrdup(x->name);
            similarity_add(c->s, c->files++, expanded, len);
        }
    }
    macros_free(m);
}

static bool is_named(const char *text, size_t n, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return memmem(text, n, name, strlen(name)) != NULL;
}

/* Read what is compiled, and the headers whose names are in it or in such headers: what nobody
 * includes is no part of the program. */
static void read_files(struct texts *t, const char *dir, const struct unit_sources *files)
{
    size_t count = 0;
    for (char **name = files->compiled; *name; name++)
        read_source(t, dir, *name);
    while (files->headers[count])
        count++;
    OWNED bool *added = xcalloc(count + 1, sizeof *added);
    /* What a round adds is searched in the next one. */
    for (size_t from = 0, to; from < (to = t->all.len); from = to)
        for (size_t i = 0; i < count; i++) {
            if (added[i] || !is_named(t->all.s + from, to - from, files->headers[i]))
                continue;
            added[i] = true;
            read_source(t, dir, files->headers[i]);
        }
}

static void add_unit(struct tier_sources *c, unsigned index)
{
    const struct unit *u = &c->run->plan->units[index];
    const struct submission *owner = &c->run->plan->submissions[u->submission];
    struct unit_sources files;
    struct texts t = {.all = STRBUF_INIT};
    if (!u->source || owner->is_reference || !c->names[u->submission])
        return;
    OWNED char *dir = rundir_sources(c->run->dir, owner->id);
    unit_sources_among(c->names[u->submission], &c->run->assignment->tiers[u->tier], u->source,
                       &files);
    c->unit[similarity_source(c->s)] = (int)index;
    read_files(&t, dir, &files);
    add_texts(c, &t, false);
    texts_end(&t);
    unit_sources_free(&files);
}

static void add_template(struct tier_sources *c, const struct tier *t)
{
    OWNED char *dir = rundir_template(c->run->dir);
    for (unsigned i = 0; i < t->sources_count; i++) {
        struct unit_sources files;
        struct err e = ERR_INIT;
        OWNED char *path = xasprintf("%s/%s", dir, t->sources[i]);
        if (fs_exists(path) && unit_sources_find(dir, t, t->sources[i], &files, &e) == 0) {
            char **const list[] = {files.compiled, files.headers};
            struct texts given = {.all = STRBUF_INIT};
            for (int k = 0; k < 2; k++)
                for (char **name = list[k]; *name; name++)
                    read_source(&given, dir, *name);
            add_texts(c, &given, true);
            texts_end(&given);
            unit_sources_free(&files);
        }
    }
}

static void add_lines(struct strbuf *text, const struct tier_sources *c,
                      const struct similar_place *x, int side)
{
    strbuf_addf(text, "%s:%u-%u", c->file[x->in[side].file], x->in[side].first, x->in[side].last);
}

static char *places_text(const struct tier_sources *c, const struct similar_pair *p)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < p->places && i < PLACES_MOST; i++) {
        strbuf_adds(&text, i ? " " : "");
        add_lines(&text, c, &p->place[i], 0);
        strbuf_adds(&text, "=");
        add_lines(&text, c, &p->place[i], 1);
    }
    if (p->places > PLACES_MOST)
        strbuf_addf(&text, " and %zu more", p->places - PLACES_MOST);
    return strbuf_detach(&text);
}

static void add_row(struct tier_sources *c, const struct similar_pair *p)
{
    c->rows = xrealloc_array(c->rows, c->count + 1, sizeof *c->rows);
    c->rows[c->count++] = (struct similar_row){
        .unit = {c->unit[p->source[0]], c->unit[p->source[1]]},
        .kind = p->kind,
        .tokens = p->tokens,
        .share = {p->share[0], p->share[1]},
        .places = places_text(c, p),
    };
}

/* Tiers are compared side by side. */
static void compare_tier(void *tiers, size_t tier)
{
    struct tier_sources *c = (struct tier_sources *)tiers + tier;
    const struct plan *plan = c->run->plan;
    struct similar_pair *pairs;
    c->s = similarity_new();
    c->unit = xcalloc(plan->units_count + 1, sizeof *c->unit);
    for (unsigned i = 0; i < plan->units_count; i++)
        if (plan->units[i].tier == (int)tier)
            add_unit(c, i);
    add_template(c, &c->run->assignment->tiers[tier]);
    const size_t n = similarity_pairs(c->s, &pairs);
    for (size_t i = 0; i < n; i++)
        add_row(c, &pairs[i]);
    similar_pairs_free(pairs, n);
    similarity_free(c->s);
    free(c->unit);
    texts_free(c->file, c->files);
}

struct listing {
    const struct run *run;
    char ***names;
};

/* Submissions are listed side by side, once for all tiers. */
static void list_submission(void *listing, size_t i)
{
    const struct listing *l = listing;
    OWNED char *dir = rundir_sources(l->run->dir, l->run->plan->submissions[i].id);
    unit_sources_list(dir, &l->names[i], NULL);
}

size_t similar_rows(const struct run *r, struct similar_row **rows)
{
    *rows = NULL;
    if (r->plan->self_test || r->plan->sweep)
        return 0;
    const unsigned tiers = r->assignment->tiers_count, submissions = r->plan->submissions_count;
    OWNED char ***names = xcalloc(submissions, sizeof *names);
    OWNED struct tier_sources *of = xcalloc(tiers, sizeof *of);
    size_t count = 0;
    for (unsigned t = 0; t < tiers; t++)
        of[t] = (struct tier_sources){.run = r, .names = names};
    parallel_for(submissions, list_submission, &(struct listing){r, names});
    parallel_for(tiers, compare_tier, of);
    for (unsigned t = 0; t < tiers; t++) {
        *rows = xrealloc_array(*rows, count + of[t].count + 1, sizeof **rows);
        for (size_t i = 0; i < of[t].count; i++)
            (*rows)[count++] = of[t].rows[i];
        free(of[t].rows);
    }
    for (unsigned i = 0; i < submissions; i++)
        owned_texts_free(&names[i]);
    return count;
}

void similar_rows_free(struct similar_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(rows[i].places);
    free(rows);
}
