#include "report/similar_sources.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "model/unit_sources.h"
#include "rundir/paths.h"

enum { PLACES_MOST = 5, FILE_MOST = 1 << 24 };

/* The sources of one tier while they are compared. */
struct tier_sources {
    const struct run *run;
    struct similarity *s;
    int *unit;   /* by number of the source */
    char **file; /* names, by number */
    unsigned files;
    struct similar_row **rows;
    size_t count;
};

static char *read_source(const char *dir, const char *name, size_t *len)
{
    struct err e = ERR_INIT;
    char *path = xasprintf("%s/%s", dir, name), *text = NULL;
    if (fs_read(path, FILE_MOST, &text, len, &e) != 0)
        text = NULL;
    free(path);
    return text;
}

/* Add a file to the source; its text is added to what the source names. */
static void add_file(struct tier_sources *c, const char *dir, const char *name,
                     struct strbuf *texts)
{
    size_t len;
    char *text = read_source(dir, name, &len);
    if (!text)
        return;
    c->file = xrealloc_array(c->file, c->files + 1, sizeof *c->file);
    c->file[c->files] = xstrdup(name);
    similarity_add(c->s, c->files++, text, len);
    strbuf_add(texts, text, len);
    free(text);
}

static bool is_named(const struct strbuf *texts, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return memmem(texts->s, texts->len, name, strlen(name)) != NULL;
}

/* Add what is compiled, and the headers whose names are in it or in such headers: what nobody
 * includes is no part of the program. */
static void add_files(struct tier_sources *c, const char *dir, const struct unit_sources *files)
{
    struct strbuf texts = STRBUF_INIT;
    size_t count = 0;
    for (char **name = files->compiled; *name; name++)
        add_file(c, dir, *name, &texts);
    while (files->headers[count])
        count++;
    bool *added = xcalloc(count + 1, sizeof *added);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (added[i] || !is_named(&texts, files->headers[i]))
                continue;
            added[i] = more = true;
            add_file(c, dir, files->headers[i], &texts);
        }
    }
    free(added);
    strbuf_free(&texts);
}

static void add_unit(struct tier_sources *c, unsigned index)
{
    const struct unit *u = &c->run->plan->units[index];
    const struct submission *owner = &c->run->plan->submissions[u->submission];
    struct unit_sources files;
    struct err e = ERR_INIT;
    if (!u->source || owner->is_reference)
        return;
    char *dir = rundir_sources(c->run->dir, owner->id);
    if (unit_sources_find(dir, &c->run->assignment->tiers[u->tier], u->source, &files, &e) == 0) {
        c->unit[similarity_source(c->s)] = (int)index;
        add_files(c, dir, &files);
        unit_sources_free(&files);
    }
    free(dir);
}

static void add_template(struct tier_sources *c, const struct tier *t)
{
    char *dir = rundir_template(c->run->dir);
    for (unsigned i = 0; i < t->sources_count; i++) {
        struct unit_sources files;
        struct err e = ERR_INIT;
        char *path = xasprintf("%s/%s", dir, t->sources[i]);
        if (fs_exists(path) && unit_sources_find(dir, t, t->sources[i], &files, &e) == 0) {
            char **const list[] = {files.compiled, files.headers};
            for (int k = 0; k < 2; k++)
                for (char **name = list[k]; *name; name++) {
                    size_t len;
                    char *text = read_source(dir, *name, &len);
                    if (text)
                        similarity_given(c->s, text, len);
                    free(text);
                }
            unit_sources_free(&files);
        }
        free(path);
    }
    free(dir);
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

static void compare_tier(struct tier_sources *c, unsigned tier)
{
    const struct plan *plan = c->run->plan;
    struct similar_pair *pairs;
    c->s = similarity_new();
    for (unsigned i = 0; i < plan->units_count; i++)
        if (plan->units[i].tier == (int)tier)
            add_unit(c, i);
    add_template(c, &c->run->assignment->tiers[tier]);
    const size_t n = similarity_pairs(c->s, &pairs);
    *c->rows = xrealloc_array(*c->rows, c->count + n + 1, sizeof **c->rows);
    for (size_t i = 0; i < n; i++) {
        const struct similar_pair *p = &pairs[i];
        (*c->rows)[c->count++] = (struct similar_row){
            .unit = {c->unit[p->source[0]], c->unit[p->source[1]]},
            .kind = p->kind,
            .tokens = p->tokens,
            .share = {p->share[0], p->share[1]},
            .places = places_text(c, p),
        };
    }
    similar_pairs_free(pairs, n);
    similarity_free(c->s);
}

size_t similar_rows(const struct run *r, struct similar_row **rows)
{
    *rows = NULL;
    if (r->plan->self_test || r->plan->sweep)
        return 0;
    struct tier_sources c = {.run = r,
                             .rows = rows,
                             .unit = xcalloc(r->plan->units_count + 1, sizeof *c.unit),
                             .file = xcalloc(1, sizeof *c.file)};
    for (unsigned t = 0; t < r->assignment->tiers_count; t++)
        compare_tier(&c, t);
    texts_free(c.file, c.files);
    free(c.unit);
    return c.count;
}

void similar_rows_free(struct similar_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(rows[i].places);
    free(rows);
}
