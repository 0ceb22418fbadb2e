#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "supervise/driver_parts.h"

enum {
    HALT_LIMIT_MS = 5000,
    SETTLE_NS = 20000,
    SETTLE_MOST_MS = 100,
};

static void signal_all(const struct driver_process *s, int sig)
{
    if (s->ranks.count)
        for (size_t i = 0; i < s->ranks.count; i++)
            kill(s->ranks.pid[i], sig);
    else
        kill(s->pid, sig);
}

uint64_t driver_cpu_ns(const struct driver_process *s)
{
    if (!s->ranks.count)
        return procfs_cpu_ns(s->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ranks.count; i++)
        sum += procfs_cpu_ns(s->ranks.pid[i]);
    return sum;
}

/* A thread says that it is stopped a moment before it leaves its core, and what it ran since the
 * last tick is accounted for when it has left: only then is the process's clock right. */
static uint64_t settled_cpu_time(const struct driver_process *s)
{
    const uint64_t end = clock_mono_ns() + (uint64_t)SETTLE_MOST_MS * 1000000;
    uint64_t now = driver_cpu_ns(s), before;
    do {
        before = now;
        uint64_t until = clock_mono_ns() + SETTLE_NS;
        while (clock_mono_ns() < until)
            ;
        now = driver_cpu_ns(s);
    } while (now != before && clock_mono_ns() < end);
    return now;
}

/* Under a launcher the processes are known when the library is loaded: nothing joins them later. */
static bool strangers(const struct driver_process *s)
{
    struct pid_list l;
    bool found = false;
    if (!s->ranks.count)
        return false;
    procfs_descendants(s->pid, &l);
    for (size_t i = 0; i < l.count; i++) {
        bool known = false;
        for (size_t j = 0; j < s->ranks.count; j++)
            known = known || s->ranks.pid[j] == l.pid[i];
        found = found || !known;
    }
    pid_list_free(&l);
    return found;
}

static bool all_stopped(const struct driver_process *s)
{
    if (!s->ranks.count)
        return procfs_stopped(s->pid);
    for (size_t i = 0; i < s->ranks.count; i++)
        if (!procfs_stopped(s->ranks.pid[i]))
            return false;
    return true;
}

/* Until every thread is seen to stand still. *still_ns: when we began to look and found them all
 * so. */
static bool wait_for_standstill(struct driver_process *s, uint64_t *still_ns)
{
    const uint64_t until = clock_mono_ns() + (uint64_t)HALT_LIMIT_MS * 1000000;
    int status;
    for (;;) {
        *still_ns = clock_mono_ns();
        if (all_stopped(s))
            return true;
        if (!s->reaped && waitpid(s->pid, &status, WNOHANG) == s->pid) {
            s->reaped = true;
            s->wait_status = status;
            return true;
        }
        if (*still_ns > until)
            return false;
        sched_yield();
        signal_all(s, SIGSTOP);
    }
}

void driver_halt(struct driver_process *s)
{
    if (s->halted)
        return;
    signal_all(s, SIGSTOP);
    bool stopped = wait_for_standstill(s, &s->still_ns);
    s->halted = true;
    if (!stopped)
        s->unruly = "it cannot be halted";
    else if (strangers(s))
        s->unruly = "it started processes";
    s->halted_cpu_ns = stopped ? settled_cpu_time(s) : 0; /* else it would not settle */
    s->halted_ns = clock_mono_ns();
}

void driver_resume(struct driver_process *s)
{
    if (!s->halted)
        return;
    signal_all(s, SIGCONT);
    s->halted = false;
}

bool driver_unruly(const struct driver_process *s, struct outcome *o)
{
    if (s->unruly)
        outcome_set(o, OUTCOME_PROTOCOL, "%s", s->unruly);
    return s->unruly;
}
