/* Names of directories that students hand in are hostile input: base/identifier.h. */
#include "plan/submissions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/source_name.h"
#include "plan/source_choice.h"

void found_free(struct found_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->item[i].name);
        free(l->item[i].path);
    }
    free(l->item);
    free(l->container);
}

static bool in_directory(const char *dir, const char *name)
{
    char *path = xasprintf("%s/%s", dir, name);
    bool there = fs_exists(path);
    free(path);
    return there;
}

/* The name of a source of any tier that lies directly in the directory, or NULL. */
static const char *source_in(const char *dir, const struct assignment *a)
{
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned s = 0; s < a->tiers[t].sources_count; s++)
            if (in_directory(dir, a->tiers[t].sources[s]))
                return a->tiers[t].sources[s];
    return NULL;
}

static void add_found(struct found_list *l, const char *path, const struct assignment *a)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return;
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].dev == st.st_dev && l->item[i].ino == st.st_ino)
            return; /* it was given before */
    const char *slash = strrchr(path, '/');
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    l->item[l->count++] = (struct found){
        .name = xstrdup(slash && slash[1] ? slash + 1 : path),
        .path = xstrdup(path),
        .source = source_in(path, a),
        .dev = st.st_dev,
        .ino = st.st_ino,
    };
}

/* What the students were given is nobody's submission, although it often lies beside theirs. */
static bool is_template(const char *path, const struct assignment *a)
{
    struct stat st, given;
    return a->template && stat(a->template, &given) == 0 && stat(path, &st) == 0 &&
           st.st_dev == given.st_dev && st.st_ino == given.st_ino;
}

/* Nothing in the directory can be graded. Perhaps only the name of a file is wrong. */
static int nothing_found(const char *dir, const struct assignment *a, struct err *e)
{
    static const char says[] = "holds neither source files of a tier nor directories";
    char *near = choice_near_miss(dir, a), *names = choice_names(a);
    if (*near)
        err_input(e, "%s: %s%s", dir, says, near);
    else
        err_input(e, "%s: %s; the source files are called %s", dir, says, names);
    free(names);
    free(near);
    return -1;
}

static int add_container(struct found_list *l, const char *dir, const struct assignment *a,
                         struct err *e)
{
    char **names;
    size_t count, before = l->count;
    if (fs_list(dir, &names, &count, e) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        if (names[i][0] != '.' && fs_is_dir(path) && !is_template(path, a))
            add_found(l, path, a);
        free(path);
    }
    fs_list_free(names, count);
    if (!l->container)
        l->container = xstrdup(dir);
    if (l->count == before)
        return nothing_found(dir, a, e);
    return 0;
}

/* How many directories in this one look like submissions? */
static unsigned count_inner(const char *dir, const struct assignment *a)
{
    char **names;
    size_t count;
    unsigned inner = 0;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        inner += names[i][0] != '.' && fs_is_dir(path) && source_in(path, a);
        free(path);
    }
    fs_list_free(names, count);
    return inner;
}

int find_submissions(char *const *paths, size_t count, const struct assignment *a,
                     struct found_list *l, struct err *e)
{
    for (size_t i = 0; i < count; i++) {
        if (!fs_is_dir(paths[i]))
            return err_input(e, "%s: %s", paths[i],
                             !fs_exists(paths[i])          ? "no such directory"
                             : source_is_archive(paths[i]) ? "is an archive; unpack it first"
                                                           : "is not a directory");
        char *dir = fs_absolute(paths[i]);
        int rc = 0;
        if (source_in(dir, a)) {
            const size_t before = l->count;
            add_found(l, dir, a);
            if (l->count > before)
                l->item[before].inner = count_inner(dir, a);
        } else {
            rc = add_container(l, dir, a, e);
        }
        free(dir);
        if (rc != 0)
            return -1;
    }
    return 0;
}
