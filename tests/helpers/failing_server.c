/*
 * To be preloaded: a file server that fails for one path. FAILING names it, as much of its end as
 * the caller gives. FAILING_CALL (stat or open) is refused for it; FAILING_ERRNO says why, else its
 * handle is stale.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The C library's own function in a variable of the same type. */
#define REAL(name) (*(void **)&real = dlsym(RTLD_NEXT, name))

enum { LONGEST = 2 * PATH_MAX };

/* A path through the descriptor of a directory has the name of that directory. */
static void resolve(const char *path, char out[LONGEST])
{
    static const char descriptors[] = "/proc/self/fd/";
    const size_t n = strlen(descriptors), digits = strspn(path + strnlen(path, n), "0123456789");
    char link[64], dir[PATH_MAX] = "";
    snprintf(link, sizeof link, "%.*s", (int)(n + digits), path);
    if (strncmp(path, descriptors, n) == 0 && digits && readlink(link, dir, sizeof dir - 1) > 0)
        snprintf(out, LONGEST, "%s%s", dir, path + n + digits);
    else
        snprintf(out, LONGEST, "%s", path);
}

static bool fails(const char *call, const char *given)
{
    const char *which = getenv("FAILING_CALL"), *end = getenv("FAILING");
    const char *why = getenv("FAILING_ERRNO");
    char path[LONGEST];
    if (!which || !end || strcmp(which, call) != 0)
        return false;
    resolve(given, path);
    const size_t n = strlen(path), k = strlen(end);
    if (n < k || strcmp(path + n - k, end) != 0 || (n > k && path[n - k - 1] != '/'))
        return false;
    errno = why ? atoi(why) : ESTALE;
    return true;
}

int stat(const char *restrict path, struct stat *restrict st)
{
    int (*real)(const char *, struct stat *);
    REAL("stat");
    return fails("stat", path) ? -1 : real(path, st);
}

int lstat(const char *restrict path, struct stat *restrict st)
{
    int (*real)(const char *, struct stat *);
    REAL("lstat");
    return fails("stat", path) ? -1 : real(path, st);
}

int fstatat(int fd, const char *restrict path, struct stat *restrict st, int flags)
{
    int (*real)(int, const char *, struct stat *, int);
    REAL("fstatat");
    return fails("stat", path) ? -1 : real(fd, path, st, flags);
}

static mode_t mode_of(int flags, va_list ap)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, mode_t);
    va_list ap;
    va_start(ap, flags);
    const mode_t mode = mode_of(flags, ap);
    va_end(ap);
    REAL("open");
    return fails("open", path) ? -1 : real(path, flags, mode);
}

int openat(int fd, const char *path, int flags, ...)
{
    int (*real)(int, const char *, int, mode_t);
    va_list ap;
    va_start(ap, flags);
    const mode_t mode = mode_of(flags, ap);
    va_end(ap);
    REAL("openat");
    return fails("open", path) ? -1 : real(fd, path, flags, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*real)(const char *);
    REAL("opendir");
    return fails("open", path) ? NULL : real(path);
}
