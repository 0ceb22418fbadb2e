#include "import/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "import/litter.h"
#include "model/source_name.h"

enum {
    WRAPPED_MOST = 3, /* an archive in an archive in an archive */
    FILES_OF_ONE_MOST = SOURCE_FILES_MOST / 10
};

static void add_path(struct source *s, char *path)
{
    s->path = xrealloc_array(s->path, s->count + 1, sizeof *s->path);
    s->path[s->count++] = path;
}

/* Add "DIR/.git" if it is there. */
static bool add_repository(struct source *s, const char *dir)
{
    OWNED char *git = xasprintf("%s/%s/.git", s->root, dir);
    const bool there = fs_exists(git);
    if (there)
        add_path(s, xasprintf("%s/.git", dir));
    return there;
}

/* A repository in which nothing was committed has no files, but lies beside others. */
static void add_empty_repositories(struct source *s, const struct names *seen, const char *beside)
{
    const char *slash = strrchr(beside, '/');
    OWNED char *parent = xasprintf("%.*s", slash ? (int)(slash + 1 - beside) : 0, beside);
    OWNED char *path = xasprintf("%s/%s", s->root, parent);
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    fs_list(path, &names, &count, NULL);
    for (size_t i = 0; i < count; i++) {
        OWNED char *dir = xasprintf("%s%s", parent, names[i]);
        if (names[i][0] != '.' && names_find(seen, dir) == NAMES_NONE)
            add_repository(s, dir);
    }
}

/* Hidden names are not listed, but a repository tells what a directory is. */
static void add_repositories(struct source *s)
{
    FREED_BY(names_free) struct names seen = NAMES_INIT;
    char **directories = NULL;
    const char *repository = NULL;
    size_t count = 0;
    const size_t files = s->count;
    for (size_t i = 0; i < files; i++)
        for (const char *p = s->path[i]; (p = strchr(p, '/')); p++) {
            char *dir = xasprintf("%.*s", (int)(p - s->path[i]), s->path[i]);
            if (names_find(&seen, dir) != NAMES_NONE) {
                free(dir);
                continue;
            }
            directories = xrealloc_array(directories, count + 1, sizeof *directories);
            directories[count++] = dir;
            names_add(&seen, dir, count);
            if (add_repository(s, dir) && !repository)
                repository = dir;
        }
    if (repository)
        add_empty_repositories(s, &seen, repository);
    fs_list_free(directories, count);
}

static bool is_own_directory(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_files(struct source *s, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!litter_is(names[i]))
            add_path(s, xstrdup(names[i]));
}

/* There are too many files: whose directory has them? That one is left out. Where there is one
 * directory only, those in it are looked at. above: "" or "class/". */
static int list_apart(struct source *s, const char *above, struct remarks *r, struct err *e)
{
    OWNED char *top = xasprintf("%s/%s", s->root, above);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = fs_list(top, &names, &count, e);
    if (rc == 0 && count == 1 && !*above) {
        OWNED char *below = xasprintf("%s/", names[0]);
        return list_apart(s, below, r, e);
    }
    for (size_t i = 0; i < count && rc == 0; i++) {
        OWNED char *path = xasprintf("%s%s", above, names[i]), *below = xasprintf("%s/", path);
        OWNED char *full = xasprintf("%s/%s", s->root, path);
        OWNED_TEXTS char **files = NULL;
        size_t n = 0;
        if (names[i][0] == '.')
            continue;
        if (!is_own_directory(full))
            add_files(s, &path, 1);
        else
            rc = tree_list_below(s->root, below, FILES_OF_ONE_MOST, &files, &n, e);
        if (n == FILES_OF_ONE_MOST)
            remark(r, "%s: %s: left out: holds more than %d files", s->shown, path,
                   FILES_OF_ONE_MOST - 1);
        else
            add_files(s, files, n);
    }
    if (rc == 0 && s->count >= SOURCE_FILES_MOST)
        rc = err_input(e, "%s: holds more than %d files", s->shown, SOURCE_FILES_MOST - 1);
    return rc;
}

static int list(struct source *s, struct remarks *r, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = 0;
    s->path = NULL;
    s->count = 0;
    if (tree_list(s->root, SOURCE_FILES_MOST, &names, &count, e) != 0)
        return -1;
    if (count == SOURCE_FILES_MOST)
        rc = list_apart(s, "", r, e);
    else
        add_files(s, names, count);
    add_repositories(s);
    return rc;
}

static void forget_list(struct source *s)
{
    fs_list_free(s->path, s->count);
    s->path = NULL;
    s->count = 0;
}

/* --- directories without files ---------------------------------------------------------------- */

/* Does a file lie in the directory, or below it? */
static bool has_files(const struct source *s, const char *dir)
{
    const size_t n = strlen(dir);
    bool found = false;
    for (size_t i = 0; i < s->count && !found; i++)
        found = strncmp(s->path[i], dir, n) == 0 && s->path[i][n] == '/';
    return found;
}

/* Add the directories that lie `depth` directories below `parent` ("" or "class/"). */
static int add_empty_below(struct source *s, const char *parent, unsigned depth, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", s->root, parent);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = fs_list(path, &names, &count, e);
    for (size_t i = 0; i < count && rc == 0; i++) {
        OWNED char *dir = xasprintf("%s%s", parent, names[i]), *inside = xasprintf("%s/", dir);
        OWNED char *full = xasprintf("%s/%s", s->root, dir);
        const bool looked_at = names[i][0] != '.' && !litter_is(names[i]) && is_own_directory(full);
        if (looked_at && depth) {
            rc = add_empty_below(s, inside, depth - 1, e);
        } else if (looked_at && !has_files(s, dir)) {
            s->empty = xrealloc_array(s->empty, s->empties + 1, sizeof *s->empty);
            s->empty[s->empties++] = xstrdup(dir);
        }
    }
    return rc;
}

/* --- opening ---------------------------------------------------------------------------------- */

/* The download was put into a further archive: unpack that one. */
static int unwrap(struct source *s, const struct source_request *q, int depth, struct remarks *r,
                  struct err *e)
{
    OWNED char *inner = xasprintf("%s/%s", s->root, s->path[0]);
    char *to = xasprintf("%s/wrapped-%d", q->scratch, depth);
    int rc = fs_remove_tree(to, e);
    if (rc == 0)
        rc = unpack(inner, s->shown, to, q->left, r, e);
    free(s->root);
    s->root = to;
    forget_list(s);
    return rc == 0 ? list(s, r, e) : rc;
}

static int recognise(struct source *s, const struct source_request *q, struct remarks *r,
                     struct err *e)
{
    int rc = list(s, r, e);
    for (int depth = 0; rc == 0; depth++) {
        if (scheme_recognise(s->path, s->count, q->wanted, q->prefix, &s->naming, e) == 0)
            return add_empty_below(s, "", s->naming.depth, e);
        if (depth == WRAPPED_MOST || s->count != 1 || !source_is_archive(s->path[0]))
            return err_context(e, "%s", s->shown);
        rc = unwrap(s, q, depth, r, e);
    }
    return rc;
}

int source_open(const char *path, const struct source_request *q, struct source *out,
                struct remarks *r, struct err *e)
{
    *out = (struct source){.shown = xstrdup(path)};
    int rc = 0;
    if (fs_is_dir(path)) {
        out->root = fs_absolute(path);
    } else if (!fs_exists(path)) {
        rc = err_input(e, "%s: no such file or directory", path);
    } else {
        out->root = xasprintf("%s/unpacked", q->scratch);
        rc = unpack(path, path, out->root, q->left, r, e);
    }
    if (rc == 0)
        rc = recognise(out, q, r, e);
    if (rc == 0)
        remark_closed(r, path, out->root);
    if (rc != 0)
        source_free(out);
    return rc;
}

void source_free(struct source *s)
{
    forget_list(s);
    fs_list_free(s->empty, s->empties);
    naming_free(&s->naming);
    free(s->shown);
    free(s->root);
    *s = (struct source){0};
}
