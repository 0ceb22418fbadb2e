#include "base/fsio.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"

bool fs_path_is_wrong(int error)
{
    return error == ENOENT || error == EACCES || error == ENOTDIR || error == ELOOP ||
           error == ENAMETOOLONG || error == ENXIO /* a socket */;
}

int fs_open_error(const char *path, struct err *e)
{
    return err_file(e, fs_path_is_wrong(errno) ? ERR_INPUT : ERR_SYSTEM, path, errno);
}

int fs_open_regular(const struct fs_name *n, int flags, struct stat *st, struct err *e)
{
    /* O_NONBLOCK: a FIFO in place of the file must not hang us. */
    int fd = openat(n->directory, n->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    if (fd < 0) {
        if (errno == ELOOP && (flags & O_NOFOLLOW))
            return err_input(e, "%s: is a symbolic link; only regular files are taken", n->shown);
        return fs_open_error(n->shown, e);
    }
    if (fstat(fd, st) != 0) {
        err_file(e, ERR_SYSTEM, n->shown, errno);
        close(fd);
        return -1;
    }
    if (!S_ISREG(st->st_mode)) {
        err_input(e, "%s: is not a regular file", n->shown);
        close(fd);
        return -1;
    }
    return fd;
}

int fs_read_fd(int fd, const char *path, size_t max, char **data, size_t *len, struct err *e)
{
    struct strbuf sb = STRBUF_INIT;
    char buf[65536];
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            err_file(e, ERR_SYSTEM, path, errno);
            strbuf_free(&sb);
            return -1;
        }
        if (n == 0)
            break;
        strbuf_add(&sb, buf, (size_t)n);
        if (sb.len > max) {
            strbuf_free(&sb);
            return err_input(e, "%s: is larger than %zu bytes", path, max);
        }
    }
    if (len)
        *len = sb.len;
    *data = strbuf_detach(&sb);
    return 0;
}

int fs_read(const char *path, size_t max, char **data, size_t *len, struct err *e)
{
    struct stat st;
    *data = NULL;
    int fd = fs_open_regular(&(struct fs_name){AT_FDCWD, path, path}, 0, &st, e);
    if (fd < 0)
        return -1;
    int rc = fs_read_fd(fd, path, max, data, len, e);
    close(fd);
    return rc;
}

static int write_all(int fd, const void *data, size_t len)
{
    const char *p = data;
    while (len) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

void fs_hold_signals(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, before);
}

void fs_release_signals(const sigset_t *before)
{
    int why = errno;
    sigprocmask(SIG_SETMASK, before, NULL);
    errno = why;
}

enum sync { SYNC, NO_SYNC };

/* A complete temporary beside path; the caller renames or links it. */
static int write_temporary(const char *path, const void *data, size_t len, enum sync sync,
                           char **tmp, struct err *e)
{
    /* Not made from the file's own name: that may be as long as names can be. */
    const char *slash = strrchr(path, '/');
    char *name = xasprintf("%.*s.tmp-%ld-%llx", slash ? (int)(slash + 1 - path) : 0, path,
                           (long)getpid(), (unsigned long long)clock_mono_ns());
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        err_system(e, "%s: cannot create: %s", path, strerror(errno));
        free(name);
        return -1;
    }
    int bad = write_all(fd, data, len) != 0 || (sync == SYNC && fsync(fd) != 0);
    int why = errno;
    if (close(fd) != 0 && !bad) {
        bad = 1;
        why = errno;
    }
    if (bad) {
        unlink(name);
        err_system(e, "%s: cannot write: %s", path, strerror(why));
        free(name);
        return -1;
    }
    *tmp = name;
    return 0;
}

static int write_renamed(const char *path, const void *data, size_t len, enum sync sync,
                         struct err *e)
{
    OWNED char *tmp = NULL;
    if (write_temporary(path, data, len, sync, &tmp, e) != 0)
        return -1;
    int rc = rename(tmp, path);
    if (rc != 0) {
        err_system(e, "%s: cannot rename into place: %s", path, strerror(errno));
        unlink(tmp);
    }
    return rc == 0 ? 0 : -1;
}

static int write_held(const char *path, const void *data, size_t len, enum sync sync, struct err *e)
{
    sigset_t before;
    fs_hold_signals(&before);
    int rc = write_renamed(path, data, len, sync, e);
    fs_release_signals(&before);
    return rc;
}

int fs_write_atomic(const char *path, const void *data, size_t len, struct err *e)
{
    return write_held(path, data, len, SYNC, e);
}

int fs_write_output(const char *path, const void *data, size_t len, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) != 0 || S_ISREG(st.st_mode))
        return fs_write_atomic(path, data, len, e);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_system(e, "%s: cannot be opened: %s", path, strerror(errno));
    int rc = 0;
    if (write_all(fd, data, len) != 0)
        rc = err_system(e, "%s: cannot write: %s", path, strerror(errno));
    if (close(fd) != 0 && rc == 0)
        rc = err_system(e, "%s: cannot write: %s", path, strerror(errno));
    return rc;
}

int fs_write_for_all(const char *path, const void *data, size_t len, struct err *e)
{
    struct stat st;
    int rc = fs_write_output(path, data, len, e);
    if (rc == 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode) && chmod(path, 0644) != 0)
        rc = err_system(e, "%s: %s", path, strerror(errno));
    return rc;
}

int fs_write_unsynced(const char *path, const void *data, size_t len, struct err *e)
{
    return write_held(path, data, len, NO_SYNC, e);
}

int fs_sync(const char *directory, struct err *e)
{
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fs_open_error(directory, e);
    const int rc = syncfs(fd) == 0 ? 0 : err_file(e, ERR_SYSTEM, directory, errno);
    close(fd);
    return rc;
}

static int publish_once(const char *path, const void *data, size_t len, struct err *e)
{
    OWNED char *tmp = NULL;
    if (write_temporary(path, data, len, SYNC, &tmp, e) != 0)
        return -1;
    int rc = 0;
    struct stat st;
    if (link(tmp, path) != 0) {
        /* A file server whose answer was lost is asked again, and then says EEXIST. The number of
         * links says whose file it is. */
        if (errno == EEXIST)
            rc = stat(tmp, &st) == 0 && st.st_nlink == 2 ? 0 : 1;
        else
            rc = err_system(e, "%s: cannot publish: %s", path, strerror(errno));
    }
    unlink(tmp);
    return rc;
}

int fs_publish_once(const char *path, const void *data, size_t len, struct err *e)
{
    sigset_t before;
    fs_hold_signals(&before);
    int rc = publish_once(path, data, len, e);
    fs_release_signals(&before);
    return rc;
}

int fs_copy(const char *from, const char *to, size_t max, struct err *e)
{
    OWNED char *data = NULL;
    size_t len = 0;
    if (fs_read(from, max, &data, &len, e) != 0)
        return -1;
    return fs_write_atomic(to, data, len, e);
}

bool fs_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

bool fs_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int looked(const char *path, int rc, struct err *e)
{
    if (rc == 0)
        return 1;
    return fs_path_is_wrong(errno) ? 0 : err_file(e, ERR_SYSTEM, path, errno);
}

int fs_stat(const char *path, struct stat *st, struct err *e)
{
    return looked(path, stat(path, st), e);
}

int fs_lstat(const char *path, struct stat *st, struct err *e)
{
    return looked(path, lstat(path, st), e);
}

bool fs_is_private(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH));
}

bool fs_is_private_dir(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IRWXG | S_IRWXO));
}

const char *fs_tmpdir(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

const char *fs_scratch_parent(void)
{
    const char *t = fs_tmpdir();
    return t[0] == '/' && strlen(t) <= FS_SCRATCH_LONGEST && access(t, W_OK) == 0 ? t : "/tmp";
}

char *fs_absolute(const char *path)
{
    char real[PATH_MAX];
    if (realpath(path, real))
        return xstrdup(real);
    if (path[0] == '/')
        return xstrdup(path);
    char cwd[PATH_MAX];
    return xasprintf("%s/%s", getcwd(cwd, sizeof cwd) ? cwd : ".", path);
}

char *fs_absolute_link(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
        return fs_absolute(path);
    OWNED char *named = slash ? xasprintf("%.*s", (int)(name - path), path) : xstrdup("."),
               *dir = fs_absolute(named);
    return xasprintf("%s/%s", strcmp(dir, "/") == 0 ? "" : dir, name);
}

bool fs_may_execute(const char *dir)
{
    struct statvfs s;
    return statvfs(dir, &s) != 0 || !(s.f_flag & ST_NOEXEC);
}
