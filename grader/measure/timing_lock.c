#include "measure/timing_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "measure/core_domains.h"
#include "rundir/stage.h"
#include "supervise/stop.h"

/* Bytes of the file: a gate and a lock for each domain, and far behind them a lock for each run. */
enum { BYTES_PER_DOMAIN = 2 };
static const off_t first_run = (off_t)1 << 32;

void timing_lock_open(struct timing_lock *l, const char *dir, const struct cores *cores)
{
    *l = (struct timing_lock){.fd = -1};
    char *path = xasprintf("%s/.paragrade-%ld.quiet", dir, (long)geteuid());
    l->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat st;
    if (l->fd >= 0 && (fstat(l->fd, &st) != 0 || st.st_uid != geteuid() || !S_ISREG(st.st_mode)))
        timing_lock_close(l); /* another user's file: it must not make us wait */
    if (cores)
        core_domains(cores, &l->domains);
    free(path);
}

/* Lock (F_RDLCK, F_WRLCK) or unlock (F_UNLCK) one byte, or all of them with bytes == 0. Locks of
 * the open file, not of the process: they are as those of flock(). false: told to stop, or an
 * error. */
static bool set(const struct timing_lock *l, short type, off_t byte, off_t bytes)
{
    struct flock f = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = bytes};
    if (type != F_UNLCK && fcntl(l->fd, F_OFD_SETLK, &f) == 0)
        return true;
    if (type != F_UNLCK)
        stage_enter("waiting for other timed runs on this node");
    int rc;
    while ((rc = fcntl(l->fd, F_OFD_SETLKW, &f)) != 0 && errno == EINTR && !proctor_stop)
        ;
    return rc == 0;
}

/* Of a run. Two runs may have the same one: then they only wait for each other. */
static off_t byte_of_run(const char *run)
{
    char hash[HASH_HEX];
    hash_bytes(run, strlen(run), hash);
    hash[8] = '\0';
    return first_run + (off_t)strtoul(hash, NULL, 16);
}

/* run: NULL, or the one that a record is measured for. */
static void take(struct timing_lock *l, short type, const char *run)
{
    if (l->fd < 0)
        return;
    uint64_t start = clock_mono_ns();
    /* Two proctors that both convert a shared lock into an exclusive one could wait for each other.
     * So the lock is given up first. */
    set(l, F_UNLCK, 0, 0);
    bool got = !run || set(l, F_WRLCK, byte_of_run(run), 1);
    for (int i = 0; i < l->domains.count && got; i++) {
        const off_t gate = (off_t)BYTES_PER_DOMAIN * l->domains.id[i];
        got = set(l, F_WRLCK, gate, 1) && set(l, type, gate + 1, 1);
        set(l, F_UNLCK, gate, 1);
    }
    l->waited_ns += clock_mono_ns() - start;
}

void timing_lock_share(struct timing_lock *l)
{
    take(l, F_RDLCK, NULL);
}

void timing_lock_exclusive(struct timing_lock *l)
{
    take(l, F_WRLCK, NULL);
}

void timing_lock_record(struct timing_lock *l, const char *run)
{
    take(l, F_WRLCK, run);
}

void timing_lock_close(struct timing_lock *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}
