#include "base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

enum { OPEN_DIRECTORY = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

/* --- listing ---------------------------------------------------------------------------------- */

struct listing {
    char **names;
    size_t count, most;
    bool closed; /* list only the directories that are not entered */
    int why;     /* errno of the machine or the file server; 0: none */
};

/* A name that cannot be reached is left out. For other errors, there is no list. */
static void note_error(struct listing *l, int error)
{
    if (!fs_path_is_wrong(error))
        l->why = error;
}

/* Takes over name. */
static void add_name(struct listing *l, char *name)
{
    l->names = list_one_more(l->names, l->count, sizeof *l->names);
    l->names[l->count++] = name;
}

/* Takes over fd. */
static void list_below(struct listing *l, int fd, const char *prefix, int depth)
{
    DIR *d = fdopendir(fd);
    if (!d) {
        l->why = errno;
        close(fd);
        return;
    }
    while (l->count < l->most && !l->why) {
        struct stat st;
        errno = 0;
        const struct dirent *de = readdir(d);
        if (!de) {
            l->why = errno;
            break;
        }
        if (de->d_name[0] == '.')
            continue;
        if (fstatat(fd, de->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            note_error(l, errno);
            continue;
        }
        char *name = xasprintf("%s%s", prefix, de->d_name);
        if (!S_ISDIR(st.st_mode)) {
            if (l->closed)
                free(name);
            else
                add_name(l, name);
            continue;
        }
        const bool enter = depth < TREE_DEPTH;
        const int below = enter ? openat(fd, de->d_name, OPEN_DIRECTORY | O_NOFOLLOW) : -1;
        if (enter && below < 0)
            note_error(l, errno);
        OWNED char *inside = xasprintf("%s/", name);
        if (below >= 0)
            list_below(l, below, inside, depth + 1);
        if (below < 0 && l->closed)
            add_name(l, name);
        else
            free(name);
    }
    closedir(d);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Open the directory that a file lies in, step by step. *base becomes the file's name in it. */
static int open_parent(const char *dir, const char *name, const char **base)
{
    int fd = open(dir, OPEN_DIRECTORY);
    for (const char *slash; fd >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        OWNED char *step = xasprintf("%.*s", (int)(slash - name), name);
        const int below =
            strcmp(step, "..") != 0 ? openat(fd, step, OPEN_DIRECTORY | O_NOFOLLOW) : -1;
        const int why = errno;
        close(fd);
        fd = below;
        errno = why;
    }
    *base = name;
    return fd;
}

static int list(const char *dir, const char *below, struct listing l, char ***names, size_t *count,
                struct err *e)
{
    const char *end;
    const int fd = open_parent(dir, below, &end);
    *names = NULL;
    *count = 0;
    if (fd < 0)
        return fs_open_error(dir, e);
    list_below(&l, fd, below, 0);
    if (l.why) {
        fs_list_free(l.names, l.count);
        return err_file(e, ERR_SYSTEM, dir, l.why);
    }
    *names = list_one_more(l.names, l.count, sizeof *l.names); /* the NULL at the end */
    qsort(*names, l.count, sizeof **names, by_name);
    *count = l.count;
    return 0;
}

int tree_list(const char *dir, size_t most, char ***names, size_t *count, struct err *e)
{
    return tree_list_below(dir, "", most, names, count, e);
}

int tree_list_below(const char *dir, const char *below, size_t most, char ***names, size_t *count,
                    struct err *e)
{
    return list(dir, below, (struct listing){.most = most}, names, count, e);
}

int tree_list_closed(const char *dir, size_t most, char ***names, size_t *count, struct err *e)
{
    return list(dir, "", (struct listing){.most = most, .closed = true}, names, count, e);
}

/* --- copying ---------------------------------------------------------------------------------- */

static bool is_foreign(const struct stat *parent, const struct stat *st)
{
    return st->st_nlink > 1 && parent->st_uid != st->st_uid;
}

int tree_is_foreign_link(const char *path, const struct stat *st, struct err *e)
{
    struct stat parent;
    if (st->st_nlink <= 1)
        return 0;
    const char *slash = strrchr(path, '/');
    OWNED char *dir = slash ? xasprintf("%.*s", (int)(slash + 1 - path), path) : xstrdup(".");
    const int there = fs_stat(dir, &parent, e);
    return there < 0 ? -1 : !there || is_foreign(&parent, st);
}

/* Open the file and look at it: afterwards nobody can exchange it any more. */
static int open_file(const char *dir, const char *name, const char *shown, struct err *e)
{
    struct stat parent, st;
    struct fs_name in = {.shown = shown};
    in.directory = open_parent(dir, name, &in.name);
    if (in.directory < 0)
        return fs_open_error(shown, e);
    int fd = fs_open_regular(&in, O_NOFOLLOW, &st, e);
    if (fd >= 0 && fstat(in.directory, &parent) != 0) {
        err_file(e, ERR_SYSTEM, shown, errno);
        close(fd);
        fd = -1;
    } else if (fd >= 0 && is_foreign(&parent, &st)) {
        close(fd);
        fd = err_input(e,
                       "%s: is a hard link to a file of somebody else; copy it instead of "
                       "linking it",
                       shown);
    }
    close(in.directory);
    return fd;
}

int tree_copy(const char *dir, const char *name, const char *to, size_t max, struct err *e)
{
    OWNED char *data = NULL, *shown = xasprintf("%s/%s", dir, name);
    size_t len = 0;
    const int fd = open_file(dir, name, shown, e);
    int rc = fd < 0 ? -1 : fs_read_fd(fd, shown, max, &data, &len, e);
    if (fd >= 0)
        close(fd);
    if (rc == 0)
        rc = fs_write_unsynced(to, data, len, e);
    return rc;
}

int tree_copy_below(const char *dir, const char *name, const char *to, size_t max, struct err *e)
{
    char *path = xasprintf("%s/%s", to, name), *slash = strrchr(path, '/');
    *slash = '\0';
    int rc = fs_mkdirs(path, e);
    *slash = '/';
    if (rc == 0)
        rc = tree_copy(dir, name, path, max, e);
    free(path);
    return rc;
}
