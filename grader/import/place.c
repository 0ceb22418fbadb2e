#include "import/place.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/instant.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "import/litter.h"
#include "model/source_name.h"

/* Of one attempt. */
enum { FILES_MOST = 20000, NESTED_MOST = 4, MEBIBYTES_MOST = 256, MARK_BYTES_MOST = 4096 };

/* In every directory that an import made; hidden, so it is no part of the submission. Its first
 * line is the time of the attempt, or what the platform says instead. */
#define MARK ".imported"
#define MARK_LATE "late"
#define MARK_UNTIMED "time unknown"

int place_owner(const struct place *p, const char *id)
{
    OWNED char *dir = xasprintf("%s/%s", p->to, id), *mark = xasprintf("%s/" MARK, dir);
    return !fs_exists(dir) ? 0 : fs_exists(mark) ? 1 : -1;
}

bool place_in_time(const struct place *p, const char *id, int64_t deadline)
{
    OWNED char *mark = xasprintf("%s/%s/" MARK, p->to, id), *text = NULL;
    size_t len;
    int64_t submitted;
    bool in_time = fs_read(mark, MARK_BYTES_MOST, &text, &len, NULL) == 0;
    if (in_time) {
        text[strcspn(text, "\n")] = '\0';
        in_time = strcmp(text, MARK_LATE) != 0;
        if (instant_parse(text, &submitted, NULL) == 0)
            in_time = submitted <= deadline;
    }
    return in_time;
}

/* --- files ------------------------------------------------------------------------------------ */

struct placing {
    const struct place *place;
    const char *id;
    char *dir;                 /* that is being made */
    struct unpack_limits left; /* for the archives in the attempt */
    const char *archive;       /* whose files are being taken; NULL: they lie outside of archives */
    struct remarks *remarks;
    struct err *e;
};

static char *nest(const struct placing *p, int depth, const char *what)
{
    return xasprintf("%s/%s-%d", p->place->scratch, what, depth);
}

/* What is wrong with a file is told, and the others are taken. Only the machine's failures end it.
 */
static int tolerate(struct placing *p, const char *name, const struct err *why)
{
    if (why->kind == ERR_SYSTEM) {
        *p->e = *why;
        return -1;
    }
    remark(p->remarks, "%s: %s: left out: %s", p->id, name, why->text);
    return 0;
}

/* Can there be a file of this name beside what is there already? */
static int check_free(const char *path, struct err *e)
{
    enum { TEMPORARY_MOST = 64 /* what fs_write_atomic() makes beside it */ };
    struct stat st;
    const bool there = lstat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode))
        return err_input(e, "there is a directory of the same name");
    if (!there && errno == ENOTDIR)
        return err_input(e, "there is a file with the name of its directory");
    if ((!there && errno == ENAMETOOLONG) || strlen(path) + TEMPORARY_MOST > PATH_MAX)
        return err_input(e, "its path is too long");
    return 0;
}

static int copy_file(struct placing *p, const char *from, const char *name, const char *to)
{
    struct err why = ERR_INIT;
    char *path = xasprintf("%s/%s", p->dir, to), *slash = strrchr(path, '/');
    int rc = check_free(path, &why);
    *slash = '\0';
    if (rc == 0)
        rc = fs_mkdirs(path, &why);
    *slash = '/';
    const bool replaced = rc == 0 && fs_exists(path);
    if (rc == 0)
        rc = tree_copy(from, name, path, (size_t)MEBIBYTES_MOST << 20, &why);
    if (rc == 0 && replaced)
        remark(p->remarks, "%s: %s: replaced by the file of the same name %s%s", p->id, to,
               p->archive ? "in " : "outside of archives", p->archive ? p->archive : "");
    free(path);
    return rc == 0 ? 0 : tolerate(p, to, &why);
}

/* Unpack an archive. 1: it cannot be. */
static int open_nested(struct placing *p, const char *from, const char *name, const char *to,
                       const char *inside)
{
    struct err why = ERR_INIT;
    OWNED char *archive = xasprintf("%s.archive", inside), *shown = xasprintf("%s: %s", p->id, to);
    int rc = fs_remove_tree(inside, &why);
    if (rc == 0)
        rc = tree_copy(from, name, archive, (size_t)MEBIBYTES_MOST << 20, &why);
    if (rc == 0)
        rc = unpack(archive, shown, inside, &p->left, p->remarks, &why);
    if (rc == 0)
        return 0;
    if (why.kind != ERR_SYSTEM) { /* the text names the student */
        remark(p->remarks, "%s", why.text);
        return 1;
    }
    *p->e = why;
    return -1;
}

/* The limits of unpacking leave no more than FILES_MOST files in it. */
static int list_nested(struct placing *p, const char *to, const char *inside, char ***names,
                       size_t *count)
{
    OWNED char *shown = xasprintf("%s: %s", p->id, to);
    remark_closed(p->remarks, shown, inside);
    return tree_list(inside, FILES_MOST, names, count, p->e);
}

static int take(struct placing *p, const char *from, const char *name, const char *to, int depth);

/* Is it unpacked? */
static bool is_nested(const char *to, int depth)
{
    return source_is_archive(to) && depth < NESTED_MOST;
}

/* The files in an archive take the place of the archive. Those of archives in it come first: a file
 * outside of them may be a newer one. */
static int take_nested(struct placing *p, const char *from, const char *name, const char *to,
                       int depth)
{
    char *inside = nest(p, depth, "nested"), **names = NULL;
    size_t count = 0;
    int rc = open_nested(p, from, name, to, inside);
    if (rc == 1) /* kept as it is, so that the grader can say what was handed in */
        rc = copy_file(p, from, name, to);
    else if (rc == 0)
        rc = list_nested(p, to, inside, &names, &count);
    const char *slash = strrchr(to, '/'), *outer = p->archive;
    for (int archives = 1; archives >= 0; archives--)
        for (size_t i = 0; i < count && rc == 0; i++) {
            if (is_nested(names[i], depth + 1) != archives)
                continue;
            OWNED char *path = xasprintf("%.*s%s", slash ? (int)(slash + 1 - to) : 0, to, names[i]);
            p->archive = to;
            rc = take(p, inside, names[i], path, depth + 1);
        }
    p->archive = outer;
    fs_list_free(names, count);
    free(inside);
    return rc;
}

static int take(struct placing *p, const char *from, const char *name, const char *to, int depth)
{
    if (litter_is(to))
        return 0;
    if (is_nested(to, depth))
        return take_nested(p, from, name, to, depth);
    return copy_file(p, from, name, to);
}

static int take_commit(struct placing *p, const struct attempt *a)
{
    OWNED char *repository = xasprintf("%s/%s", a->source->root, a->repository);
    OWNED char *tar = xasprintf("%s/commit.tar", p->place->scratch);
    struct err why = ERR_INIT;
    int rc = repository_archive(repository, &a->commit, p->place->scratch, tar, &why);
    if (rc != 0 && why.kind == ERR_INPUT) { /* of one student: all others are imported */
        remark(p->remarks, "%s: %s", p->id, why.text);
        return 0;
    }
    if (rc != 0)
        *p->e = why;
    else
        rc = take(p, p->place->scratch, "commit.tar", "commit.tar", 0);
    return rc;
}

static int take_files(struct placing *p, const struct attempt *a)
{
    if (!a->checked_out)
        return take_commit(p, a);
    int rc = 0;
    for (int archives = 1; archives >= 0; archives--) /* first, as in an archive */
        for (size_t i = 0; i < a->files && rc == 0; i++) {
            const struct attempt_file *f = &a->file[i];
            if (is_nested(f->file, 0) == archives)
                rc = take(p, a->source->root, f->path, f->file, 0);
        }
    return rc;
}

/* --- the directory ---------------------------------------------------------------------------- */

static int rename_to(const char *from, const char *to, struct err *e)
{
    return rename(from, to) == 0 ? 0
                                 : err_system(e, "%s: cannot be renamed: %s", to, strerror(errno));
}

/* Everything lies in one directory, as in most archives: take that directory's place. */
static int lift(struct placing *p)
{
    int rc = 0;
    for (bool again = true; again && rc == 0;) {
        OWNED_TEXTS char **names = NULL;
        OWNED char *only = NULL;
        size_t count;
        rc = fs_list(p->dir, &names, &count, p->e);
        if (rc == 0 && count == 1)
            only = xasprintf("%s/%s", p->dir, names[0]);
        again = only && fs_is_dir(only);
        if (again) {
            OWNED char *aside = nest(p, 0, "lifted");
            rc = fs_remove_tree(aside, p->e);
            if (rc == 0)
                rc = rename_to(only, aside, p->e);
            if (rc == 0)
                rc = fs_remove_tree(p->dir, p->e);
            if (rc == 0)
                rc = rename_to(aside, p->dir, p->e);
        }
    }
    return rc;
}

/* Where the grader does not look for sources. */
static void remark_sources(struct placing *p)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    const char *deep = NULL;
    bool found = false;
    if (tree_list(p->dir, FILES_MOST, &names, &count, NULL) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const bool code = source_is_code(names[i]);
        found = found || (code && !strchr(names[i], '/'));
        deep = code && !deep ? names[i] : deep;
    }
    if (!count)
        remark(p->remarks, "%s: no files were handed in", p->id);
    else if (!found && deep)
        remark(p->remarks, "%s: no source in the top directory, but %s", p->id, deep);
    else if (!found)
        remark(p->remarks, "%s: no source was handed in, but %s", p->id, names[0]);
}

static int write_mark(struct placing *p, const struct attempt *a)
{
    OWNED char *path = xasprintf("%s/" MARK, p->dir);
    const char *slash = strrchr(a->source->shown, '/');
    char time[INSTANT_TEXT] = "";
    if (a->timed)
        instant_format(a->submitted, time);
    OWNED char *text = xasprintf("%s\n%s %s from %s\n",
                                 *time     ? time
                                 : a->late ? MARK_LATE
                                           : MARK_UNTIMED,
                                 scheme_names[a->source->naming.scheme], a->platform_id,
                                 slash && slash[1] ? slash + 1 : a->source->shown);
    return fs_write_atomic(path, text, strlen(text), p->e);
}

int place_remove(const struct place *p, const char *id, struct err *e)
{
    OWNED char *dir = xasprintf("%s/%s", p->to, id), *old = xasprintf("%s/old", p->scratch);
    int rc = fs_remove_tree(old, e);
    if (rc == 0 && fs_exists(dir))
        rc = rename_to(dir, old, e);
    if (rc == 0)
        rc = fs_remove_tree(old, e);
    return rc;
}

int place_attempt(const struct place *p, const struct attempt *a, struct remarks *r, struct err *e)
{
    const uint64_t most = (uint64_t)MEBIBYTES_MOST << 20;
    struct placing x = {p, a->id, xasprintf("%s/new", p->scratch), {most, most, FILES_MOST}, NULL,
                        r, e};
    char *dir = xasprintf("%s/%s", p->to, a->id);
    int rc = fs_remove_tree(x.dir, e);
    if (rc == 0)
        rc = fs_mkdirs(x.dir, e);
    if (rc == 0)
        rc = take_files(&x, a);
    if (rc == 0)
        rc = lift(&x);
    if (rc == 0)
        remark_sources(&x);
    if (rc == 0)
        rc = write_mark(&x, a);
    if (rc == 0)
        rc = place_remove(p, a->id, e);
    if (rc == 0)
        rc = rename_to(x.dir, dir, e);
    free(dir);
    free(x.dir);
    return rc == 0 ? 0 : err_context(e, "%s", a->id);
}
