#include "supervise/driver_deadlock.h"

#include "supervise/driver_waits.h"

/* QUIET_MS is enough where messages are small: they need microseconds. */
enum { QUIET_MS = 3000, GAP_MS = 1000 };
#define MS UINT64_C(1000000)
/* Of the slowest way that a message takes on one node. */
#define BYTES_PER_MS UINT64_C(50000)
/* A rank that polls and ran so long would have seen a message. */
#define RAN_LEAST (50 * MS)
/* Threads of the MPI library wake up now and then. */
#define OTHERS_MOST (50 * MS)

/* Times of a rank, ns: its first thread has run and waited for a core; its others have run. */
static void look_at_rank(struct quiet *q, unsigned i, pid_t pid)
{
    struct wait_times w;
    uint64_t others = 0;
    procfs_wait(pid, &w);
    for (size_t t = 0; t < w.count; t++) {
        if (w.tid[t] == pid) {
            q->rank[i].ran = w.ran[t];
            q->rank[i].held_up = w.ns[t];
        } else {
            others += w.ran[t];
        }
    }
    q->rank[i].others = others;
}

static void begin(struct driver_process *d, uint64_t now, uint64_t stamp)
{
    d->quiet.stamp = stamp;
    d->quiet.since = d->quiet.looked = now;
    for (unsigned i = 0; stamp && i < d->rank_count; i++)
        look_at_rank(&d->quiet, i, d->rank_pid[i]);
}

/* Has the rank had every chance to go on, and does nothing else that may help? */
static bool only_waits(const struct driver_process *d, unsigned i, uint64_t ns)
{
    struct quiet now = d->quiet;
    look_at_rank(&now, i, d->rank_pid[i]);
    const uint64_t ran = now.rank[i].ran - d->quiet.rank[i].ran,
                   held_up = now.rank[i].held_up - d->quiet.rank[i].held_up;
    return now.rank[i].others <= d->quiet.rank[i].others + OTHERS_MOST &&
           (ran >= RAN_LEAST || held_up < ns / 2);
}

bool driver_is_deadlocked(struct driver_process *d, uint64_t now, uint64_t *ns)
{
    const uint64_t stamp = d->rank_count && !d->halted ? driver_waits_stamp(d) : 0;
    uint64_t bytes;
    *ns = 0;
    /* The whole machine may have been suspended since the last look. */
    if (!stamp || stamp != d->quiet.stamp || now - d->quiet.looked > GAP_MS * MS) {
        begin(d, now, stamp);
        return false;
    }
    d->quiet.looked = now;
    const uint64_t quiet = now - d->quiet.since;
    if (quiet < QUIET_MS * MS || driver_waits_move(d, &bytes) ||
        quiet < (QUIET_MS + bytes / BYTES_PER_MS) * MS)
        return false;
    for (unsigned i = 0; i < d->rank_count; i++)
        if (!only_waits(d, i, quiet)) {
            begin(d, now, stamp);
            return false;
        }
    *ns = quiet;
    return true;
}
