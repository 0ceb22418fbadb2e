/*
 * The lock is a file made by link(), which is atomic on every file system, NFS included. It names
 * host, boot, process and the process's start time, so that on the same host a dead holder is
 * recognised at once. A holder on another host cannot be asked. A thread of it touches the file
 * every few seconds, and one that has not done so for LOCK_STALE_S is taken for dead. So a lock is
 * abandoned when its process is dead or stopped, or its host is, but not when the process is slow:
 * that one will still write to the run.
 * Ages are differences between two time stamps of the same file system: clocks need not agree.
 */
#include "rundir/lock.h"

#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "rundir/paths.h"

enum { LOCK_SIGN_S = 5, LOCK_STALE_S = 120, LOCK_MAX_BYTES = 4096 };

/* The lock of this process, and the thread that signs it. */
static struct {
    atomic_bool for_reports; /* and for nothing else */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t released;
    char *run;        /* whose lock this process has taken; NULL: none */
    atomic_bool lost; /* another process has taken it over */
} life = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void boot_id(char *out, size_t cap)
{
    out[0] = '\0';
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!f)
        return;
    if (!fgets(out, (int)cap, f))
        out[0] = '\0';
    fclose(f);
    out[strcspn(out, "\n")] = '\0';
}

static void host_name(char *out, size_t cap)
{
    if (gethostname(out, cap) != 0)
        snprintf(out, cap, "unknown");
    out[cap - 1] = '\0';
}

/* The text of our own lock. It is the same at every call, so that we recognise it. */
static char *lock_text(void)
{
    char host[256], boot[64], start[32];
    host_name(host, sizeof host);
    boot_id(boot, sizeof boot);
    snprintf(start, sizeof start, "%llu", proc_start_time((long)getpid()));
    json_auto_t *j = json_pack("{s:s, s:s, s:I, s:s}", "host", host, "boot", boot, "pid",
                               (json_int_t)getpid(), "start", start);
    if (life.for_reports)
        json_object_set_new(j, "reports", json_true());
    char *text = json_dumps(j, JSON_COMPACT | JSON_SORT_KEYS);
    return text ? text : xstrdup("{}");
}

/* Modification time of a file. Opening the file makes an NFS client ask the server for it. */
static int modified(const char *path, struct timespec *t)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    int rc = fstat(fd, &st);
    close(fd);
    *t = st.st_mtim;
    return rc;
}

/* Seconds since path was touched, by the file system's own clock; -1 when that is not known. */
static long age_s(const char *path)
{
    struct timespec then, now;
    if (modified(path, &then) != 0)
        return -1;
    OWNED char *probe = xasprintf("%s.clock-%ld", path, (long)getpid());
    long age = -1;
    if (fs_write_atomic(probe, "", 0, NULL) == 0 && modified(probe, &now) == 0)
        age = (long)(now.tv_sec - then.tv_sec);
    unlink(probe);
    return age < 0 ? -1 : age;
}

static bool is_for_reports(const char *text)
{
    json_auto_t *j = json_loads(text, 0, NULL);
    return json_is_true(json_object_get(j, "reports"));
}

/* Is the process that wrote this lock gone? who[] receives its name for people. */
static bool lock_is_stale(const char *path, const char *text, char *who, size_t cap)
{
    char host[256], boot[64];
    host_name(host, sizeof host);
    boot_id(boot, sizeof boot);
    const char *h = "an unknown host", *b = "", *s = "";
    json_int_t pid = 0;
    json_auto_t *j = json_loads(text, 0, NULL);
    bool known = j && json_unpack(j, "{s:s, s:s, s:I, s:s}", "host", &h, "boot", &b, "pid", &pid,
                                  "start", &s) == 0;
    snprintf(who, cap, "process %lld on %s", (long long)pid, h);
    bool stale;
    if (known && strcmp(h, host) == 0) {
        char start[32];
        snprintf(start, sizeof start, "%llu", proc_start_time((long)pid));
        stale = strcmp(b, boot) != 0 || strcmp(s, start) != 0;
    } else {
        stale = age_s(path) > LOCK_STALE_S;
    }
    return stale;
}

/* Remove the lock of a dead holder. Another process may do the same at this moment and may already
 * hold a fresh lock: if the text of the removed file is not `text`, the file is put back. */
static void remove_stale(const char *path, const char *text)
{
    OWNED char *aside = xasprintf("%s.stale-%ld", path, (long)getpid());
    if (rename(path, aside) == 0) {
        OWNED char *moved = NULL;
        if (fs_read(aside, LOCK_MAX_BYTES, &moved, NULL, NULL) == 0 && strcmp(moved, text) != 0)
            (void)!link(aside, path);
        unlink(aside);
    }
}

enum holder { NOBODY, THIS_PROCESS, ANOTHER };

static enum holder holder_of(const char *run)
{
    OWNED char *path = rundir_lock(run), *text = lock_text(), *held = NULL;
    enum holder who = NOBODY;
    if (fs_read(path, LOCK_MAX_BYTES, &held, NULL, NULL) == 0)
        who = strcmp(held, text) == 0 ? THIS_PROCESS : ANOTHER;
    return who;
}

/* --- signs of life ---------------------------------------------------------------------------- */

/* A thread gives them, because some work between two units takes minutes: reading all results,
 * hashing all sources, waiting for a command of Slurm. */
static void sign(const char *run)
{
    if (holder_of(run) == ANOTHER) {
        life.lost = true;
        return;
    }
    OWNED char *path = rundir_lock(run);
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

static void *sign_until_released(void *unused)
{
    pthread_mutex_lock(&life.mutex);
    while (life.run && !life.lost) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec += LOCK_SIGN_S;
        while (life.run && pthread_cond_timedwait(&life.released, &life.mutex, &next) == 0)
            ;
        if (life.run)
            sign(life.run);
    }
    pthread_mutex_unlock(&life.mutex);
    return unused;
}

static void life_end(void)
{
    if (!life.run)
        return;
    pthread_mutex_lock(&life.mutex);
    free(life.run);
    life.run = NULL;
    pthread_cond_signal(&life.released);
    pthread_mutex_unlock(&life.mutex);
    pthread_join(life.thread, NULL);
    pthread_cond_destroy(&life.released);
}

static int life_begin(const char *run, struct err *e)
{
    sigset_t all, before;
    pthread_condattr_t attr;
    life_end(); /* of a run that has been removed with its lock */
    life.run = xstrdup(run);
    life.lost = false;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&life.released, &attr);
    pthread_condattr_destroy(&attr);
    /* Signals are for the main thread: they must end what it waits for. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int why = pthread_create(&life.thread, NULL, sign_until_released, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why == 0)
        return 0;
    pthread_cond_destroy(&life.released);
    free(life.run);
    life.run = NULL;
    return err_system(e, "cannot start a thread: %s", strerror(why));
}

/* --- the lock --------------------------------------------------------------------------------- */

static int take(const char *run, struct err *e)
{
    OWNED char *path = rundir_lock(run), *text = lock_text();
    char who[400] = "another process";
    int rc = 1;
    for (int attempt = 0; attempt < 5; attempt++) {
        /* A process that only asks again and again writes nothing, and leaves nothing behind when
         * it is killed. */
        rc = fs_exists(path) ? 1 : fs_publish_once(path, text, strlen(text), e);
        if (rc != 1)
            break;
        OWNED char *held = NULL;
        bool live = false;
        if (fs_read(path, LOCK_MAX_BYTES, &held, NULL, NULL) == 0) { /* else: released just now */
            if (strcmp(held, text) == 0)
                rc = 0; /* ours already */
            else if (lock_is_stale(path, held, who, sizeof who))
                remove_stale(path, held);
            else
                live = true;
        }
        if (live && is_for_reports(held))
            rc = 2;
        if (rc == 0 || live)
            break;
    }
    if (rc == 2)
        err_system(e, "%s: %s is writing the reports of this run", run, who);
    if (rc == 1)
        err_system(e, "%s: %s is working on this run; `paragrade status` shows how far it is", run,
                   who);
    const bool signing = life.run && strcmp(life.run, run) == 0 && !life.lost;
    if (rc == 0 && !signing && life_begin(run, e) != 0) {
        run_unlock(run);
        rc = -1;
    }
    return rc;
}

int run_lock(const char *run, struct err *e)
{
    life.for_reports = false;
    return take(run, e);
}

int run_lock_for_reports(const char *run, struct err *e)
{
    life.for_reports = true;
    return take(run, e);
}

static int say_taken_over(const char *run, struct err *e)
{
    return err_system(e,
                      "%s: another process has taken over the lock of the run, because this one "
                      "gave no sign of life; run the command again when the other one has ended",
                      run);
}

int run_lock_kept(const char *run, struct err *e)
{
    return life.lost ? say_taken_over(run, e) : 0;
}

int run_lock_check(const char *run, struct err *e)
{
    /* Who took it over may have ended already. */
    return holder_of(run) == THIS_PROCESS ? 0 : say_taken_over(run, e);
}

bool run_is_locked(const char *run)
{
    char *path = rundir_lock(run), *held = NULL, who[400];
    bool locked = fs_read(path, LOCK_MAX_BYTES, &held, NULL, NULL) == 0 &&
                  !lock_is_stale(path, held, who, sizeof who);
    free(held);
    free(path);
    return locked;
}

void run_unlock(const char *run)
{
    life_end();
    if (holder_of(run) == THIS_PROCESS) {
        OWNED char *path = rundir_lock(run);
        unlink(path);
    }
}
