#include "supervise/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

#define PREFIX "paragrade-"

enum { TRIES = 100 };

static int lock_file(const char *dir, int flags)
{
    OWNED char *path = xasprintf("%s/.paragrade-scratch", dir);
    return open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

/* Remove a directory if its lock is free: then the proctor that made it is gone. */
static void remove_stale(const char *dir)
{
    struct stat st;
    if (lstat(dir, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return;
    int fd = lock_file(dir, 0);
    if (fd < 0)
        return; /* it is just being created, or it is not a scratch directory */
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        fs_remove_tree(dir, NULL);
    close(fd);
}

static void sweep(const char *where)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (fs_list(where, &names, &n, NULL) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(names[i], PREFIX, strlen(PREFIX)) != 0)
            continue;
        OWNED char *dir = xasprintf("%s/%s", where, names[i]);
        remove_stale(dir);
    }
}

/* Lock a new directory. False when it is gone: between the creation of the lock file and the lock,
 * another proctor's sweep may have locked and removed it. */
static bool lock_fresh(const char *dir, int *lock)
{
    struct stat st;
    *lock = lock_file(dir, O_CREAT | O_EXCL);
    if (*lock < 0)
        return false;
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 && fstat(*lock, &st) == 0 && st.st_nlink > 0)
        return true;
    close(*lock);
    *lock = -1;
    return false;
}

/* Create a locked directory below `where`. First remove what dead proctors left there. */
static char *create_below(const char *where, int *lock, struct err *e)
{
    sweep(where);
    for (int i = 0;; i++) {
        char *dir = xasprintf("%s/" PREFIX "XXXXXX", where);
        *lock = -1;
        bool made = mkdtemp(dir) != NULL;
        if (made && lock_fresh(dir, lock))
            return dir;
        if (!made || i == TRIES) {
            err_system(e, "%s: cannot %s: %s", dir, made ? "lock" : "create", strerror(errno));
            free(dir);
            return NULL;
        }
        fs_remove_tree(dir, NULL);
        free(dir);
    }
}

int scratch_create(struct scratch *s, struct err *e)
{
    *s = (struct scratch){.lock = -1, .shm_lock = -1};
    if (!fs_may_execute(fs_scratch_parent()))
        return err_system(e, "%s: " FS_NO_EXECUTION, fs_scratch_parent());
    s->dir = create_below(fs_scratch_parent(), &s->lock, e);
    if (!s->dir)
        return -1;
    if (access("/dev/shm", W_OK) == 0)
        s->shm = create_below("/dev/shm", &s->shm_lock, NULL);
    return 0;
}

static void remove_one(char *dir, int lock)
{
    if (dir)
        fs_remove_tree(dir, NULL);
    if (lock >= 0)
        close(lock);
    free(dir);
}

void scratch_remove(struct scratch *s)
{
    remove_one(s->dir, s->lock);
    remove_one(s->shm, s->shm_lock);
    *s = (struct scratch){.lock = -1, .shm_lock = -1};
}
