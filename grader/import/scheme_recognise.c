/* Which platform a download comes from. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "import/dated_names.h"
#include "import/scheme.h"

enum { DEPTH_MOST = 4 };

/* How many of the paths follow the scheme? */
static size_t followers(const struct naming *n, char *const *paths, size_t count)
{
    size_t follow = 0;
    for (size_t i = 0; i < count; i++) {
        FREED_BY(handed_in_free) struct handed_in h = {0};
        if (!scheme_read(n, paths[i], &h))
            continue;
        follow++;
    }
    return follow;
}

/* "class/gemm-anna/.git": the repository's name, or NULL. */
static char *repository(const char *path, unsigned depth)
{
    const char *s = scheme_after_directories(path, depth);
    const size_t n = s ? strcspn(s, "/") : 0;
    return s && strcmp(s + n, "/.git") == 0 ? xasprintf("%.*s", (int)n, s) : NULL;
}

/* What ends with a user name: "gemm-anna" of GitHub Classroom, "Lab3_s1001" of Blackboard; NULL. */
static char *named(enum scheme scheme, const char *path, unsigned depth)
{
    if (scheme == SCHEME_GITHUB)
        return repository(path, depth);
    const char *s = scheme_after_directories(path, depth);
    const size_t n = s ? dated_blackboard_head(s) : 0;
    return n ? xasprintf("%.*s", (int)n, s) : NULL;
}

/* What all of them have in front, up to a '-' or '_'. The caller frees it. NULL: nothing, or it is
 * a single repository. */
static char *shared_prefix(enum scheme scheme, char *const *paths, size_t count, unsigned depth)
{
    const char separator = scheme == SCHEME_GITHUB ? '-' : '_';
    char *first = NULL;
    size_t n = 0, names = 0;
    for (size_t i = 0; i < count; i++) {
        OWNED char *name = named(scheme, paths[i], depth);
        if (!name)
            continue;
        if (!names++) {
            first = xstrdup(name);
            n = strlen(first);
        }
        size_t same = 0;
        while (same < n && name[same] == first[same])
            same++;
        n = same;
    }
    while (n && first[n - 1] != separator)
        n--;
    if (!n || (scheme == SCHEME_GITHUB && names < 2)) {
        free(first);
        return NULL;
    }
    first[n] = '\0';
    return first;
}

static bool has_named(enum scheme scheme, char *const *paths, size_t count, unsigned depth)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        OWNED char *name = named(scheme, paths[i], depth);
        found = name != NULL;
    }
    return found;
}

/* One scheme at one depth: how many paths follow it. *n is filled. */
static size_t try_scheme(struct naming *n, char *const *paths, size_t count, const char *prefix)
{
    n->prefix = NULL;
    if (n->scheme == SCHEME_GITHUB && !prefix && !has_named(SCHEME_GITHUB, paths, count, n->depth))
        return 0;
    if (n->scheme == SCHEME_GITHUB || n->scheme == SCHEME_BLACKBOARD) {
        n->prefix = prefix ? xstrdup(prefix) : shared_prefix(n->scheme, paths, count, n->depth);
        if (!n->prefix)
            return 0;
    }
    return followers(n, paths, count);
}

static int not_recognised(char *const *paths, size_t count, enum scheme wanted, const char *prefix,
                          struct err *e)
{
    if (prefix && count)
        return err_input(e, "no user name follows after --prefix '%s'; the first name is '%s'",
                         prefix, paths[0]);
    for (unsigned s = SCHEME_GITHUB; s <= SCHEME_BLACKBOARD; s++)
        for (unsigned depth = 0; depth < DEPTH_MOST; depth++)
            if ((wanted == s || wanted == SCHEME_COUNT) &&
                has_named((enum scheme)s, paths, count, depth))
                return err_input(
                    e, "the names have no common beginning that ends in '-' (GitHub Classroom) or "
                       "'_' (Blackboard, of one assignment); say it with --prefix, for example "
                       "--prefix gemm-");
    if (!count)
        return err_input(e, "holds no files");
    if (wanted != SCHEME_COUNT)
        return err_input(e, "no name follows the scheme of %s; the first one is '%s'",
                         scheme_names[wanted], paths[0]);
    return err_input(
        e,
        "the names follow the scheme of no platform (Canvas, Moodle, Gradescope, GitHub "
        "Classroom, Blackboard, Brightspace); the first one is '%s'. If each directory is a "
        "student: --from "
        "directories",
        paths[0]);
}

int scheme_recognise(char *const *paths, size_t count, enum scheme wanted, const char *prefix,
                     struct naming *out, struct err *e)
{
    size_t most = 0;
    struct naming best = {0};
    *out = (struct naming){0};
    /* Every directory follows the last scheme, so it must be asked for. */
    const unsigned first = wanted == SCHEME_COUNT ? 0 : wanted;
    const unsigned end = wanted == SCHEME_COUNT ? SCHEME_DIRECTORIES : wanted + 1;
    for (unsigned s = first; s < end; s++)
        for (unsigned depth = 0; depth < (s == SCHEME_DIRECTORIES ? 1 : DEPTH_MOST); depth++) {
            struct naming n = {.scheme = (enum scheme)s, .depth = depth};
            const size_t follow = try_scheme(&n, paths, count, prefix);
            free(n.prefix);
            if (follow <= most)
                continue;
            best = (struct naming){.scheme = (enum scheme)s, .depth = depth};
            most = follow;
        }
    /* A single file with a name by chance makes no platform. */
    if (!most || (wanted == SCHEME_COUNT && 2 * most < count))
        return not_recognised(paths, count, wanted, prefix, e);
    try_scheme(&best, paths, count, prefix);
    *out = best;
    return 0;
}

void naming_free(struct naming *n)
{
    free(n->prefix);
    *n = (struct naming){0};
}
