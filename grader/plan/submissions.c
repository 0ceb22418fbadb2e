/* Names of directories that students hand in are hostile input: base/identifier.h. */
#include "plan/submissions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/identifier.h"
#include "base/strbuf.h"
#include "base/submission_dir.h"
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

/* As fs_lstat(). */
static int in_directory(const char *dir, const char *name, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", dir, name);
    struct stat st;
    return fs_lstat(path, &st, e);
}

/* The name of a source of any tier that lies where it should in the directory; *source is NULL if
 * there is none. */
static int source_in(const char *dir, const struct assignment *a, const char **source,
                     struct err *e)
{
    *source = NULL;
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned s = 0; s < a->tiers[t].sources_handed_in; s++) {
            const int there = in_directory(dir, a->tiers[t].sources[s], e);
            if (there < 0)
                return -1;
            if (there) {
                *source = a->tiers[t].sources[s];
                return 0;
            }
        }
    return 0;
}

static bool same_directory(const struct stat *st, dev_t dev, ino_t ino)
{
    return st->st_dev == dev && st->st_ino == ino;
}

static int add_found(struct found_list *l, const char *path, const struct stat *st,
                     const char *source, struct err *e)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    for (size_t i = 0; i < l->count; i++) {
        if (!same_directory(st, l->item[i].dev, l->item[i].ino))
            continue;
        if (strcmp(name, l->item[i].name) == 0)
            return 0; /* it was given before */
        return err_input(e,
                         "%s and %s are the same directory: whose submission is it? Remove one of "
                         "the two names",
                         l->item[i].path, path);
    }
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    l->item[l->count++] = (struct found){
        .name = xstrdup(name),
        .path = xstrdup(path),
        .source = source,
        .dev = st->st_dev,
        .ino = st->st_ino,
    };
    return 0;
}

/* Nothing in the directory can be graded. Perhaps only the name of a file is wrong. */
static int nothing_found(const char *dir, const struct assignment *a, struct err *e)
{
    static const char says[] = "holds neither source files of a tier nor directories";
    OWNED char *near = choice_near_miss(dir, a), *names = choice_names(a);
    if (*near)
        err_input(e, "%s: %s%s", dir, says, near);
    else
        err_input(e, "%s: %s; the source files are called %s", dir, says, names);
    return -1;
}

static void note_link(const struct found_list *l, const char *path)
{
    OWNED char *shown = identifier_path(path);
    if (l->notes)
        strbuf_addf(l->notes,
                    "%s: left out, because it is a link that neither you nor the owner of its "
                    "target made\n",
                    shown);
}

static void note_second(const struct found_list *l, const char *out, const char *stays)
{
    OWNED char *shown = identifier_path(out), *other = identifier_path(stays);
    if (l->notes)
        strbuf_addf(l->notes, "%s: left out, because it is a link to %s, which is graded\n", shown,
                    other);
}

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static bool is_own(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && st.st_uid == geteuid();
}

/* Another name of a directory that is in the list: left out if it is the link that its student
 * made; whose directory it is then, is clear. False: it is not left out. */
static bool leave_out_second(struct found_list *l, const char *path, const struct stat *st)
{
    for (size_t i = 0; i < l->count; i++) {
        struct found *f = &l->item[i];
        if (!same_directory(st, f->dev, f->ino) || strcmp(path, f->path) == 0)
            continue;
        const bool second = is_link(path) && !is_own(path),
                   first = is_link(f->path) && !is_own(f->path);
        if (second) {
            note_second(l, path, f->path);
            return true;
        }
        if (first) {
            note_second(l, f->path, path);
            free(f->name);
            free(f->path);
            l->count--;
            memmove(f, f + 1, (l->count - i) * sizeof *f);
            return false;
        }
    }
    return false;
}

/* Take a name in a directory of submissions if it is a submission. What the students were given
 * (NULL: nothing) is nobody's, although it often lies beside theirs. */
static int add_inner(struct found_list *l, const char *path, const struct stat *given,
                     const struct assignment *a, struct err *e)
{
    struct stat st;
    const char *source;
    const int there = submission_dir_look(path, &st, e);
    if (there < 0)
        return -1;
    if (there == SUBMISSION_DIR_OTHERS_LINK)
        note_link(l, path);
    if (there != SUBMISSION_DIR_THERE ||
        (given && same_directory(&st, given->st_dev, given->st_ino)))
        return 0;
    if (source_in(path, a, &source, e) != 0)
        return -1;
    return leave_out_second(l, path, &st) ? 0 : add_found(l, path, &st, source, e);
}

static int add_container(struct found_list *l, const char *dir, const struct assignment *a,
                         struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count, before = l->count;
    struct stat given;
    int rc = a->template ? fs_stat(a->template, &given, e) : 0;
    const struct stat *template = rc == 1 ? &given : NULL;
    if (rc < 0 || fs_list(dir, &names, &count, e) != 0)
        return -1;
    rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        if (names[i][0] != '.')
            rc = add_inner(l, path, template, a, e);
    }
    if (rc != 0)
        return -1;
    if (!l->container)
        l->container = xstrdup(dir);
    if (l->count == before)
        return nothing_found(dir, a, e);
    return 0;
}

/* How many directories in this one look like submissions? The number decides only what is said. */
static unsigned count_inner(const char *dir, const struct assignment *a)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    unsigned inner = 0;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const char *source;
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        inner += names[i][0] != '.' && fs_is_dir(path) && source_in(path, a, &source, NULL) == 0 &&
                 source;
    }
    return inner;
}

/* A path that was given: one submission, or a directory of them. */
static int add_given(struct found_list *l, const char *path, const struct assignment *a,
                     struct err *e)
{
    struct stat st;
    const char *source;
    const int there = fs_stat(path, &st, e);
    if (there < 0)
        return -1;
    if (!there || !S_ISDIR(st.st_mode))
        return err_input(e, "%s: %s", path,
                         !fs_exists(path)          ? "no such directory"
                         : source_is_archive(path) ? "is an archive; unpack it first"
                                                   : "is not a directory");
    OWNED char *dir = fs_absolute(path);
    int rc = source_in(dir, a, &source, e);
    if (rc == 0 && source) {
        const size_t before = l->count;
        rc = add_found(l, dir, &st, source, e);
        if (l->count > before)
            l->item[before].inner = count_inner(dir, a);
    } else if (rc == 0) {
        rc = add_container(l, dir, a, e);
    }
    return rc;
}

int find_submissions(char *const *paths, size_t count, const struct assignment *a,
                     struct found_list *l, struct err *e)
{
    for (size_t i = 0; i < count; i++)
        if (add_given(l, paths[i], a, e) != 0)
            return -1;
    return 0;
}
