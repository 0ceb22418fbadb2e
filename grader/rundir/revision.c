#include "rundir/revision.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/lock.h"
#include "rundir/paths.h"

/* A hidden name beside the run: reports/.RUN<suffix>. */
static char *beside(const char *run, const char *suffix)
{
    OWNED char *absolute = fs_absolute(run);
    for (size_t n = strlen(absolute); n > 1 && absolute[n - 1] == '/'; n--)
        absolute[n - 1] = '\0';
    const char *slash = strrchr(absolute, '/');
    return xasprintf("%.*s/.%s%s", (int)(slash - absolute), absolute, slash + 1, suffix);
}

/* --- links ------------------------------------------------------------------------------------ */

static int link_file(const char *from, const char *to, struct err *e)
{
    if (link(from, to) == 0)
        return 0;
    if (errno == EMLINK || errno == EPERM || errno == EOPNOTSUPP)
        return fs_copy(from, to, SIZE_MAX / 2, e);
    return err_system(e, "%s: cannot link to %s: %s", from, to, strerror(errno));
}

static int link_tree(const char *from, const char *to, struct err *e)
{
    struct stat st;
    if (lstat(from, &st) != 0)
        return errno == ENOENT ? 0 : err_system(e, "%s: %s", from, strerror(errno));
    if (S_ISREG(st.st_mode))
        return link_file(from, to, e);
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (!S_ISDIR(st.st_mode))
        return 0; /* a run has no such things */
    if (fs_mkdirs(to, e) != 0 || fs_list(from, &names, &n, e) != 0)
        return -1;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        OWNED char *a = xasprintf("%s/%s", from, names[i]), *b = xasprintf("%s/%s", to, names[i]);
        rc = link_tree(a, b, e);
    }
    return rc;
}

/* Link run/relative to top/relative, and make the directories above it. */
static int link_below(const char *run, const char *top, const char *relative, struct err *e)
{
    OWNED char *from = xasprintf("%s/%s", run, relative), *to = xasprintf("%s/%s", top, relative);
    int rc = 0;
    if (fs_exists(from)) {
        *strrchr(to, '/') = '\0';
        rc = fs_mkdirs(to, e);
        to[strlen(to)] = '/';
        if (rc == 0)
            rc = link_tree(from, to, e);
    }
    return rc;
}

int revision_keep(const char *run, const char *draft, const char *relative, struct err *e)
{
    return link_below(run, draft, relative, e);
}

int revision_archive(const char *run, const char *draft, unsigned number, const char *relative,
                     struct err *e)
{
    OWNED char *text = xasprintf("%u", number), *top = part_path(draft, PART_EARLIER_CHANGE, text);
    int rc = fs_mkdirs(top, e);
    if (rc == 0)
        rc = link_below(run, top, relative, e);
    return rc;
}

int revision_archive_records(const char *run, const char *draft, unsigned number, struct err *e)
{
    int rc = 0;
    for (int p = 0; p < PART_COUNT && rc == 0; p++)
        if (part_is_record((enum part)p) && p != PART_LOCK)
            rc = revision_archive(run, draft, number, part_name((enum part)p), e);
    return rc;
}

/* --- the change ------------------------------------------------------------------------------- */

int revision_begin(const char *run, char **draft, struct err *e)
{
    char *dir = beside(run, ".revision"), *aside = beside(run, ".replaced");
    *draft = NULL;
    int rc = fs_exists(dir) ? fs_remove_tree(dir, e) : 0;
    /* The run is there, so this is the one before the last change. */
    if (rc == 0 && fs_exists(aside))
        rc = fs_remove_tree(aside, e);
    free(aside);
    if (rc == 0 && mkdir(dir, 0700) != 0)
        rc = err_system(e, "%s: cannot create directory: %s", dir, strerror(errno));
    if (rc == 0)
        rc = revision_keep(run, dir, part_name(PART_EARLIER), e);
    if (rc != 0)
        free(dir);
    else
        *draft = dir;
    return rc;
}

/* Not possible on this file system: in two steps. */
static int exchange_in_steps(const char *run, const char *draft, struct err *e)
{
    OWNED char *aside = beside(run, ".replaced");
    int rc = 0;
    if (rename(run, aside) != 0) {
        rc = err_system(e, "%s: cannot be renamed: %s", run, strerror(errno));
    } else if (rename(draft, run) != 0) {
        rc = err_system(e, "%s: cannot be renamed: %s", draft, strerror(errno));
        rename(aside, run);
    } else {
        rename(aside, draft);
    }
    return rc;
}

int revision_commit(const char *run, const char *draft, struct err *e)
{
    OWNED char *lock = rundir_lock(draft), *old = rundir_lock(run);
    sigset_t all, before;
    int rc = run_lock_check(run, e);
    /* The run stays locked by this process. */
    if (rc == 0 && fs_exists(old))
        rc = link_file(old, lock, e);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (rc == 0 && renameat2(AT_FDCWD, draft, AT_FDCWD, run, RENAME_EXCHANGE) != 0) {
        if (errno == EINVAL || errno == ENOSYS)
            rc = exchange_in_steps(run, draft, e);
        else
            rc = err_system(e, "%s and %s cannot change places: %s", draft, run, strerror(errno));
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    revision_abandon(draft); /* by now, this is the old run or the failed draft */
    return rc;
}

void revision_abandon(const char *draft)
{
    fs_remove_tree(draft, NULL);
}

void revision_recover(const char *run)
{
    OWNED char *aside = beside(run, ".replaced");
    /* A live process is about to put the changed run there itself. */
    if (!fs_exists(run) && fs_is_dir(aside) && !run_is_locked(aside))
        rename(aside, run);
}
