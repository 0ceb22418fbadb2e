#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "proctor/session_parts.h"

enum {
    HALT_LIMIT_MS = 5000,
    SETTLE_NS = 20000,
    SETTLE_MOST_MS = 100,
};

static void signal_all(const struct session *s, int sig)
{
    if (s->ranks.count)
        for (size_t i = 0; i < s->ranks.count; i++)
            kill(s->ranks.pid[i], sig);
    else
        kill(s->pid, sig);
}

uint64_t session_cpu_ns(const struct session *s)
{
    if (!s->ranks.count)
        return observe_cpu_ns(s->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ranks.count; i++)
        sum += observe_cpu_ns(s->ranks.pid[i]);
    return sum;
}

/* A thread says that it is stopped a moment before it leaves its core, and what it ran since the
 * last tick is accounted for when it has left: only then is the process's clock right. */
static uint64_t settled_cpu_time(const struct session *s)
{
    const uint64_t end = clock_mono_ns() + (uint64_t)SETTLE_MOST_MS * 1000000;
    uint64_t now = session_cpu_ns(s), before;
    do {
        before = now;
        uint64_t until = clock_mono_ns() + SETTLE_NS;
        while (clock_mono_ns() < until)
            ;
        now = session_cpu_ns(s);
    } while (now != before && clock_mono_ns() < end);
    return now;
}

/* Under a launcher the processes are known when the library is loaded: nothing joins them later. */
static bool strangers(const struct session *s)
{
    struct pid_list l;
    bool found = false;
    if (!s->ranks.count)
        return false;
    observe_descendants(s->pid, &l);
    for (size_t i = 0; i < l.count; i++) {
        bool known = false;
        for (size_t j = 0; j < s->ranks.count; j++)
            known = known || s->ranks.pid[j] == l.pid[i];
        found = found || !known;
    }
    pid_list_free(&l);
    return found;
}

static bool all_stopped(const struct session *s)
{
    if (!s->ranks.count)
        return observe_stopped(s->pid);
    for (size_t i = 0; i < s->ranks.count; i++)
        if (!observe_stopped(s->ranks.pid[i]))
            return false;
    return true;
}

/* Until every thread is seen to stand still. *still_ns: when we began to look and found them all
 * so. */
static bool wait_for_standstill(struct session *s, uint64_t *still_ns)
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

void session_halt(struct session *s)
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

void session_resume(struct session *s)
{
    if (!s->halted)
        return;
    signal_all(s, SIGCONT);
    s->halted = false;
}

bool session_unruly(const struct session *s, struct outcome *o)
{
    if (s->unruly)
        session_fail(o, OUTCOME_PROTOCOL, "%s", s->unruly);
    return s->unruly;
}
