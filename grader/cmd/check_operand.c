#include "cmd/check_operand.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/self_tests.h"
#include "cmd/start_note.h"
#include "model/assignment.h"

static void add_tier(struct checked *c, const char *name)
{
    c->tiers = xrealloc_array(c->tiers, c->tiers_count + 1, sizeof *c->tiers);
    c->tiers[c->tiers_count++] = xstrdup(name);
}

/* Whoever gave the assignment of a directory once need not do so again. */
static char *remembered_assignment(const char *dir, bool tell)
{
    char *path = self_tests_assignment(dir);
    const char *of = path ? "the last check" : "paragrade start";
    if (!path)
        path = start_note_read(dir);
    if (path && tell)
        term_print(stderr, 2, "the assignment of %s: %s\n", of, path);
    return path;
}

static int find_assignment(struct checked *c, const struct options *o, bool tell, struct err *e)
{
    const char *named = getenv("PARAGRADE_ASSIGNMENT");
    if (o->assignment)
        c->assignment = xstrdup(o->assignment);
    else if (!(named && *named))
        c->assignment = remembered_assignment(c->dir, tell && !o->quiet && !o->gcc_style);
    return c->assignment ? 0 : locate_assignment(&c->assignment, e);
}

/* The rest of a path behind the name of a directory that it ends with, "project2/src/". Returns
 * false if it ends otherwise. */
static bool ends_with_directory(const char *path, const char *directory, size_t *rest)
{
    const size_t n = strlen(path), m = strlen(directory);
    if (m > n || strcmp(path + n - m, directory) != 0 || (m < n && m && path[n - m - 1] != '/'))
        return false;
    *rest = n - m;
    return true;
}

/* "w/simd.c" is a source of some tiers of the submission w. */
static int take_source(struct checked *c, const char *path, struct err *e)
{
    struct assignment *a;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    OWNED char *above = xasprintf("%.*s", (int)(name - path), path);
    size_t rest = strlen(above);
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    if (assignment_load(c->assignment, &a, e) != 0)
        return -1;
    if (a->directory && !ends_with_directory(above, a->directory, &rest))
        rest = strlen(above);
    free(c->given);
    c->given = rest > 1 ? xasprintf("%.*s", (int)rest - 1, above) : xstrdup(rest ? "/" : ".");
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned i = 0; i < a->tiers[t].sources_handed_in; i++) {
            const char *source = a->tiers[t].sources[i], *last = strrchr(source, '/');
            strbuf_addf(&names, "%s%s", names.len ? ", " : "", last ? last + 1 : source);
            if (strcmp(last ? last + 1 : source, name) == 0)
                add_tier(c, a->tiers[t].name);
        }
    const int rc = c->tiers_count
                       ? 0
                       : err_input(e, "%s: no tier has a source of that name; they are called %s",
                                   path, names.s);
    assignment_free(a);
    return rc;
}

/* Only what failed last; all if nothing did. */
static void take_failed(struct checked *c, bool tell)
{
    char **failed;
    const unsigned n = self_tests_failed(c->dir, &failed);
    if (!n && tell)
        term_print(stderr, 2, "nothing failed last: all tiers are checked\n");
    for (unsigned i = 0; i < n; i++)
        add_tier(c, failed[i]);
    texts_free(failed, n);
}

/* A name beside the one that was typed, which is not there, that may be meant; to be freed. NULL:
 * none. *least: as for similar_more(). */
static char *near_file(const char *typed, unsigned *least)
{
    const char *slash = strrchr(typed, '/'), *base = slash ? slash + 1 : typed;
    char *dir = xasprintf("%.*s", (int)(base - typed), typed), *near = NULL, **names;
    size_t n = 0;
    if (fs_list(*dir ? dir : ".", &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++)
            if (similar_more(base, names[i], least)) {
                free(near);
                near = xasprintf("%s%s", dir, names[i]);
            }
        fs_list_free(names, n);
    }
    free(dir);
    return near;
}

static int no_such_file(const char *typed, struct err *e)
{
    unsigned least = UINT_MAX;
    OWNED char *near = near_file(typed, &least);
    err_input(e, "%s: no such directory or source%s%s%s", typed, near ? "; did you mean " : "",
              near ? near : "", near ? "?" : "");
    return -1;
}

/* "simd" is that tier of this directory, unless something there has this name. */
static int take_tier(struct checked *c, const char *name, struct err *e)
{
    struct assignment *a;
    unsigned least = UINT_MAX;
    if (assignment_load(c->assignment, &a, e) != 0)
        return -1;
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    OWNED char *near = near_file(name, &least);
    for (unsigned t = 0; t < a->tiers_count; t++) {
        strbuf_addf(&names, "%s%s", t ? ", " : "", a->tiers[t].name);
        if (strcmp(a->tiers[t].name, name) == 0) {
            add_tier(c, name);
        } else if (similar_more(name, a->tiers[t].name, &least)) {
            free(near);
            near = xstrdup(a->tiers[t].name);
        }
    }
    int rc = 0;
    if (!c->tiers_count && near)
        rc = err_input(e,
                       "%s: no such directory or source, and no tier has that name; did you mean "
                       "%s?",
                       name, near);
    else if (!c->tiers_count)
        rc = err_input(e, "%s: no such directory or source, and no tier has that name (%s)", name,
                       names.s);
    assignment_free(a);
    return rc;
}

int checked_find(struct checked *c, const struct options *o, const char *operand, bool tell,
                 struct err *e)
{
    *c = (struct checked){.given = xstrdup(operand ? operand : ".")};
    for (size_t n = strlen(c->given); n > 1 && c->given[n - 1] == '/'; n--)
        c->given[n - 1] = '\0';
    const bool tier = operand && !fs_exists(c->given) && !strchr(operand, '/') && !o->tiers.count;
    if (tier) {
        free(c->given);
        c->given = xstrdup(".");
    } else if (!fs_exists(c->given)) {
        return no_such_file(c->given, e);
    }
    const bool source = fs_exists(c->given) && !fs_is_dir(c->given);
    const char *slash = strrchr(c->given, '/');
    OWNED char *of = !source ? xstrdup(c->given)
                     : slash ? xasprintf("%.*s", (int)(slash - c->given + 1), c->given)
                             : xstrdup(".");
    c->dir = fs_absolute(of);
    if (find_assignment(c, o, tell, e) != 0 || (tier && take_tier(c, operand, e) != 0))
        return -1;
    for (size_t i = 0; i < o->tiers.count; i++)
        add_tier(c, o->tiers.item[i]);
    if (source && c->tiers_count)
        return err_input(e, "%s names a tier already: leave out --tier", operand);
    if (source && take_source(c, operand, e) != 0)
        return -1;
    if (source) {
        free(c->dir);
        c->dir = fs_absolute(c->given);
    }
    if (o->last_failed && !c->tiers_count)
        take_failed(c, tell);
    return 0;
}

void checked_free(struct checked *c)
{
    texts_free(c->tiers, c->tiers_count);
    free(c->assignment);
    free(c->given);
    free(c->dir);
    *c = (struct checked){0};
}
