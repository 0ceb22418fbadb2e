/* Directories: making, removing, listing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"

int fs_mkdirs(const char *path, struct err *e)
{
    OWNED char *p = xstrdup(path);
    for (char *s = p; *s; s++) {
        if (*s != '/' || s == p)
            continue;
        *s = '\0';
        mkdir(p, 0700); /* the last one decides */
        *s = '/';
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return err_system(e, "%s: cannot create directory: %s", path, strerror(errno));
    if (!fs_is_dir(path))
        return err_system(e, "%s: exists and is not a directory", path);
    return 0;
}

int fs_mkdirs_for(const char *path, struct err *e)
{
    const char *end = strrchr(path, '/');
    OWNED char *dir = xasprintf("%.*s", end ? (int)(end - path) : 1, end ? path : ".");
    return fs_mkdirs(dir, e);
}

enum { DEPTH_MOST = 64 };

struct removal {
    int top;        /* the directory that is removed */
    unsigned moved; /* number of directories moved up to it */
    int why;        /* errno of the first failure */
};

static int removal_failed(struct removal *r)
{
    if (!r->why)
        r->why = errno;
    return -1;
}

/* Trees deeper than there are descriptors are taken apart from the middle: what lies too deep is
 * moved up to the top, which is gone through again. */
static int move_up(struct removal *r, int dirfd, const char *name)
{
    char to[64];
    snprintf(to, sizeof to, ".moved-%u-%llx", r->moved++, (unsigned long long)clock_mono_ns());
    if (fchmodat(dirfd, name, 0700, 0) != 0) /* its ".." is written */
        return removal_failed(r);
    return renameat(dirfd, name, r->top, to) == 0 ? 0 : removal_failed(r);
}

static int remove_at(struct removal *r, int dirfd, const char *name, int depth)
{
    if (unlinkat(dirfd, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return removal_failed(r);
    if (depth > DEPTH_MOST)
        return move_up(r, dirfd, name);
    int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES && fchmodat(dirfd, name, 0700, 0) == 0)
        fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return removal_failed(r);
    fchmod(fd, 0700); /* a student may have taken away the write bit */
    DIR *d = fdopendir(fd);
    if (!d) {
        removal_failed(r);
        close(fd);
        return -1;
    }
    if (depth == 0)
        r->top = fd;
    int rc = 0;
    unsigned moved;
    do {
        moved = r->moved;
        rewinddir(d);
        struct dirent *de;
        while ((de = readdir(d))) {
            if (strcmp(de->d_name, ".") != 0 && strcmp(de->d_name, "..") != 0 &&
                remove_at(r, fd, de->d_name, depth + 1) != 0)
                rc = -1;
        }
    } while (depth == 0 && r->moved != moved);
    closedir(d);
    return unlinkat(dirfd, name, AT_REMOVEDIR) == 0 ? rc : removal_failed(r);
}

int fs_remove_tree(const char *path, struct err *e)
{
    struct removal r = {.top = -1};
    if (remove_at(&r, AT_FDCWD, path, 0) != 0)
        return err_system(e, "%s: cannot remove: %s", path, strerror(r.why));
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int fs_list(const char *path, char ***names, size_t *count, struct err *e)
{
    *names = NULL;
    *count = 0;
    DIR *d = opendir(path);
    if (!d)
        return fs_open_error(path, e);
    struct dirent *de;
    while (errno = 0, (de = readdir(d))) {
        if (strcmp(de->d_name, ".") == 0 || strcmp(de->d_name, "..") == 0)
            continue;
        *names = list_one_more(*names, *count, sizeof **names);
        (*names)[(*count)++] = xstrdup(de->d_name);
    }
    const int why = errno; /* NULL is the end as well as an error */
    closedir(d);
    if (why) {
        fs_list_free(*names, *count);
        *names = NULL;
        *count = 0;
        return err_file(e, ERR_SYSTEM, path, why);
    }
    *names = list_one_more(*names, *count, sizeof **names); /* the NULL at the end */
    qsort(*names, *count, sizeof **names, by_name);
    return 0;
}

void fs_list_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
