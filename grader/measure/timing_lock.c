#include "measure/timing_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/term.h"
#include "measure/core_domains.h"
#include "rundir/quiet_file.h"
#include "rundir/stage.h"
#include "supervise/stop.h"

/* Bytes of the file: a gate and a lock for each domain; far behind them a lock for each run;
 * far behind these the turns of each run, with a gate as the last byte; and last the domains of
 * each run that waits for no other one. */
enum { BYTES_PER_DOMAIN = 2, BYTES_PER_RUN = 1 << 12 };
enum { TURN_POLL_MS = 100 };
static const off_t first_run = (off_t)1 << 32, first_turn = (off_t)1 << 33,
                   first_own = (off_t)1 << 46;

void timing_lock_open(struct timing_lock *l, const char *dir, const char *run,
                      const struct cores *cores)
{
    *l = (struct timing_lock){.fd = quiet_file_open(dir), .run = run};
    if (cores)
        core_domains(cores, &l->domains);
}

/* --- who has it ------------------------------------------------------------------------------ */

/* The text in the file about a domain: "PID RUN", and zeros. */
enum { NOTE_BYTES = 512 };

/* Sign for a domain that was taken. */
static void sign(const struct timing_lock *l, int domain)
{
    char note[NOTE_BYTES] = "", there[NOTE_BYTES] = "";
    const off_t at = (off_t)NOTE_BYTES * domain;
    if (l->first)
        return; /* nobody else waits for it */
    snprintf(note, sizeof note, "%ld %s", (long)getpid(), l->run);
    if (pread(l->fd, there, sizeof there, at) != (ssize_t)sizeof there ||
        memcmp(note, there, sizeof note) != 0)
        (void)!pwrite(l->fd, note, sizeof note, at);
}

/* What to say of waiting for a domain. */
static void waiting_words(const struct timing_lock *l, int domain, char out[STAGE_TEXT])
{
    char note[NOTE_BYTES] = "", *run;
    snprintf(out, STAGE_TEXT, "waiting for other timed runs on this node");
    if (pread(l->fd, note, sizeof note - 1, (off_t)NOTE_BYTES * domain) <= 0)
        return;
    note[sizeof note - 1] = '\0';
    const long pid = strtol(note, &run, 10);
    if (*run != ' ' || !run[1] || strcmp(run + 1, l->run) == 0 || pid <= 0 ||
        (kill((pid_t)pid, 0) != 0 && errno == ESRCH))
        return;
    const char *slash = strrchr(run, '/');
    snprintf(out, STAGE_TEXT, "waiting for run %.64s of yours on this node%s",
             slash ? slash + 1 : run + 1, l->offer_no_wait ? ": --no-wait to go on" : "");
    term_make_printable(out);
}

/* --- locking --------------------------------------------------------------------------------- */

/* Lock or unlock some bytes: without waiting (F_OFD_SETLK), or until it is possible (F_OFD_SETLKW).
 * Locks of the open file, not of the process: they are as those of flock(). false: somebody else
 * has it, told to stop, or an error.
 *
 * A request to stop may come between the look at proctor_stop and the call. It is repeated, and so
 * interrupts the call a moment later. Looking again and again without waiting in the call would
 * lose the place in the queue. */
static bool set(const struct timing_lock *l, int how, short type, off_t byte, off_t bytes)
{
    struct flock f = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = bytes};
    while (how != F_OFD_SETLKW || !proctor_stop) {
        if (fcntl(l->fd, how, &f) == 0)
            return true;
        if (errno != EINTR)
            return false;
    }
    return false;
}

/* Lock a byte (F_RDLCK, F_WRLCK), and say so if this has to wait. */
static bool lock(const struct timing_lock *l, short type, off_t byte, int domain)
{
    char words[STAGE_TEXT];
    if (set(l, F_OFD_SETLK, type, byte, 1))
        return true;
    waiting_words(l, domain, words);
    stage_enter(words);
    return set(l, F_OFD_SETLKW, type, byte, 1);
}

/* The byte that is locked for a domain. Its gate is the byte before. */
static off_t lock_of(const struct timing_lock *l, int domain)
{
    return l->first + (off_t)BYTES_PER_DOMAIN * domain + 1;
}

void timing_lock_release(struct timing_lock *l)
{
    l->shared = false;
    if (l->fd < 0)
        return;
    set(l, F_OFD_SETLK, F_UNLCK, 0, first_turn);
    if (l->first)
        set(l, F_OFD_SETLK, F_UNLCK, l->first, BYTES_PER_RUN);
}

/* Of a run. Two runs may have the same one: then they only wait for each other. */
static off_t number_of_run(const char *run)
{
    char hash[HASH_HEX];
    hash_bytes(run, strlen(run), hash);
    hash[8] = '\0';
    return (off_t)strtoul(hash, NULL, 16);
}

void timing_lock_only_own(struct timing_lock *l)
{
    l->first = first_own + number_of_run(l->run) * BYTES_PER_RUN;
}

bool timing_lock_is_only_own(const struct timing_lock *l)
{
    return l->first != 0;
}

/* The time since then was spent waiting. */
static uint64_t add_wait(struct timing_lock *l, uint64_t start)
{
    const uint64_t waited = clock_mono_ns() - start;
    l->waited_ns += waited;
    return waited;
}

/* How a lock is taken. */
enum { WITH_RECORD = 1, SILENTLY = 2 };

static uint64_t take(struct timing_lock *l, short type, unsigned how)
{
    if (l->fd < 0)
        return 0;
    const uint64_t start = clock_mono_ns();
    /* Two proctors that both convert a shared lock into an exclusive one could wait for each other.
     * So the lock is given up first. */
    timing_lock_release(l);
    bool got = !(how & WITH_RECORD) || lock(l, F_WRLCK, first_run + number_of_run(l->run), 0);
    for (int i = 0; i < l->domains.count && got; i++) {
        const int domain = l->domains.id[i];
        const off_t gate = lock_of(l, domain) - 1;
        got = how & SILENTLY
                  ? set(l, F_OFD_SETLKW, F_WRLCK, gate, 1) &&
                        set(l, F_OFD_SETLKW, type, lock_of(l, domain), 1)
                  : lock(l, F_WRLCK, gate, domain) && lock(l, type, lock_of(l, domain), domain);
        if (got)
            sign(l, domain);
        set(l, F_OFD_SETLK, F_UNLCK, gate, 1);
    }
    l->shared = got && type == F_RDLCK;
    return add_wait(l, start);
}

uint64_t timing_lock_share(struct timing_lock *l)
{
    return take(l, F_RDLCK, 0);
}

uint64_t timing_lock_exclusive(struct timing_lock *l)
{
    return take(l, F_WRLCK, 0);
}

uint64_t timing_lock_record(struct timing_lock *l)
{
    return take(l, F_WRLCK, WITH_RECORD);
}

uint64_t timing_lock_give_way(struct timing_lock *l)
{
    return take(l, F_RDLCK, SILENTLY);
}

/* Who waits for a lock keeps its gate shut. */
bool timing_lock_is_wanted(const struct timing_lock *l)
{
    for (int i = 0; i < l->domains.count && l->fd >= 0 && l->shared; i++) {
        struct flock f = {.l_type = F_WRLCK,
                          .l_whence = SEEK_SET,
                          .l_start = lock_of(l, l->domains.id[i]) - 1,
                          .l_len = 1};
        if (fcntl(l->fd, F_OFD_GETLK, &f) == 0 && f.l_type != F_UNLCK)
            return true;
    }
    return false;
}

void timing_lock_downgrade(struct timing_lock *l)
{
    l->shared = l->fd >= 0;
    for (int i = 0; i < l->domains.count && l->fd >= 0; i++)
        set(l, F_OFD_SETLK, F_RDLCK, lock_of(l, l->domains.id[i]), 1);
}

/* Take the first turn that is free. */
static bool any_turn(const struct timing_lock *l, off_t first, int n)
{
    bool got = false;
    for (int i = 0; i < n && !got; i++)
        got = set(l, F_OFD_SETLK, F_WRLCK, first + i, 1);
    return got;
}

static off_t turns_of(const struct timing_lock *l)
{
    return first_turn + number_of_run(l->run) * BYTES_PER_RUN;
}

uint64_t timing_lock_turn(struct timing_lock *l, int turns)
{
    if (l->fd < 0)
        return 0;
    const uint64_t start = clock_mono_ns();
    const off_t first = turns_of(l), gate = first + BYTES_PER_RUN - 1;
    const int n = turns < BYTES_PER_RUN ? turns : BYTES_PER_RUN - 1;
    if (!set(l, F_OFD_SETLK, F_WRLCK, gate, 1) || !any_turn(l, first, n)) {
        timing_lock_release(l); /* who has a turn may want to time */
        stage_enter(STAGE_TURN);
        /* No call waits for one of several locks: the first in the queue looks again and again, the
         * others wait at the gate. */
        if (set(l, F_OFD_SETLKW, F_WRLCK, gate, 1))
            while (!any_turn(l, first, n) && !proctor_stop)
                clock_sleep_ms(TURN_POLL_MS);
    }
    set(l, F_OFD_SETLK, F_UNLCK, gate, 1);
    const uint64_t waited = add_wait(l, start);
    return waited + timing_lock_share(l);
}

void timing_lock_end_turn(struct timing_lock *l)
{
    if (l->fd >= 0)
        set(l, F_OFD_SETLK, F_UNLCK, turns_of(l), BYTES_PER_RUN - 1);
}

void timing_lock_close(struct timing_lock *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}
