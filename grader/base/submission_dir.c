#include "base/submission_dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

/* A directory that is uploaded again may be another one once. */
enum { LOOKS_MOST = 3 };

/* -1: the machine fails. */
static int others_link(const char *path, const struct stat *link, const struct stat *target,
                       struct err *e)
{
    const char *slash = strrchr(path, '/');
    OWNED char *dir = slash ? xasprintf("%.*s", (int)(slash + 1 - path), path) : xstrdup(".");
    struct stat holder;
    const int there = fs_stat(dir, &holder, e);
    if (there < 0)
        return -1;
    return link->st_uid != target->st_uid && link->st_uid != geteuid() &&
           (!there || link->st_uid != holder.st_uid);
}

int submission_dir_look(const char *path, struct stat *st, struct err *e)
{
    struct stat link;
    *st = (struct stat){0};
    int there = fs_lstat(path, &link, e);
    if (there == 1 && !S_ISLNK(link.st_mode)) {
        *st = link;
        return S_ISDIR(st->st_mode) ? SUBMISSION_DIR_THERE : SUBMISSION_DIR_NONE;
    }
    if (there == 1)
        there = fs_stat(path, st, e);
    if (there < 0)
        return -1;
    if (!there || !S_ISDIR(st->st_mode))
        return SUBMISSION_DIR_NONE;
    const int others = others_link(path, &link, st, e);
    return others < 0 ? -1 : others ? SUBMISSION_DIR_OTHERS_LINK : SUBMISSION_DIR_THERE;
}

int submission_dir_open(const char *path, int *fd, struct err *e)
{
    *fd = -1;
    for (int look = 0; look < LOOKS_MOST; look++) {
        struct stat seen, st;
        const int rc = submission_dir_look(path, &seen, e);
        if (rc != SUBMISSION_DIR_THERE)
            return rc;
        *fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (*fd >= 0 && fstat(*fd, &st) == 0 && st.st_dev == seen.st_dev &&
            st.st_ino == seen.st_ino)
            return SUBMISSION_DIR_THERE;
        if (*fd < 0 && fs_open_error(path, e) != 0 && e && e->kind == ERR_SYSTEM)
            return -1;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
    }
    return SUBMISSION_DIR_OTHERS_LINK;
}

char *submission_dir_real(const char *path)
{
    struct err ignored = ERR_INIT;
    int fd;
    if (submission_dir_open(path, &fd, &ignored) != SUBMISSION_DIR_THERE)
        return NULL;
    char *opened = xasprintf("/proc/self/fd/%d", fd), *real = realpath(opened, NULL);
    free(opened);
    close(fd);
    return real;
}
