#include "supervise/driver_halt.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    HASTE_NS = 200000,      /* on a free core a thread stops sooner */
    SHORT_PAUSE_NS = 20000, /* between two checks until then */
    PAUSE_NS = 50000,       /* and after that */
    SETTLE_NS = 20000,      /* between two readings of the processor time */
    SETTLE_MOST_MS = 100,   /* for all readings */
};

/* How long to wait for a driver to stop; the second one for who gets no core to stop on. */
#define HALT_LIMIT_NS UINT64_C(5000000000)
#define STARVED_LIMIT_NS UINT64_C(30000000000)

/* Who is ready to run and ran for less than this is starved. */
#define STARVED_NS UINT64_C(100000000)

/* The leader is the last one. It runs on the proctor's core and takes it at once when it is
 * resumed. If the others waited for their signals then, the leader would wait for them. */
static void signal_all(const struct driver_process *d, int sig)
{
    for (size_t i = 0; i < d->ranks.count; i++)
        if (d->ranks.pid[i] != d->leader)
            kill(d->ranks.pid[i], sig);
    kill(d->ranks.count ? d->leader : d->pid, sig);
}

/* A signal to the process is taken by its first thread, which sleeps once it has sent DONE. Until
 * it has woken up, a team of threads that waits for work goes on, at the kernel's expense. A thread
 * that runs takes its own signal at once, and stops all others. */
static void stop_busy_threads(const struct driver_process *d)
{
    for (size_t i = 0; !d->ranks.count && i < d->waits.count; i++)
        if (d->waits.tid[i] != d->leader)
            tgkill(d->leader, d->waits.tid[i], SIGSTOP);
}

uint64_t driver_cpu_ns(const struct driver_process *d)
{
    if (!d->ranks.count)
        return procfs_cpu_ns(d->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < d->ranks.count; i++)
        sum += procfs_cpu_ns(d->ranks.pid[i]);
    return sum;
}

/* Read the processor time until two readings agree. A thread is reported as stopped a moment before
 * it leaves its core. The kernel adds its time since the last tick only when it has left. */
static uint64_t settled_cpu_time(const struct driver_process *d)
{
    const uint64_t end = clock_mono_ns() + (uint64_t)SETTLE_MOST_MS * 1000000;
    uint64_t now = driver_cpu_ns(d), before;
    do {
        before = now;
        uint64_t until = clock_mono_ns() + SETTLE_NS;
        while (clock_mono_ns() < until)
            ;
        now = driver_cpu_ns(d);
    } while (now != before && clock_mono_ns() < end);
    return now;
}

void driver_know_children(struct supervisor *s)
{
    pid_list_free(&s->children);
    procfs_children(getpid(), &s->children);
}

uint64_t driver_reaped_faults(const struct driver_process *d)
{
    uint64_t sum = procfs_reaped_faults(d->pid);
    for (size_t i = 0; i < d->ranks.count; i++) /* some launchers start ranks through others */
        sum += procfs_reaped_faults(d->ranks.pid[i]);
    return sum;
}

/* True when a process of the list is in neither of the known ones. */
static bool has_others(const struct pid_list *l, const struct pid_list *known,
                       const struct pid_list *also)
{
    bool found = false;
    for (size_t i = 0; i < l->count; i++)
        found = found || !(pid_list_has(known, l->pid[i]) || pid_list_has(also, l->pid[i]));
    return found;
}

/* True when the launcher has started a new process. All of them are known when the library is
 * loaded, and none may join them later. One that has ended meanwhile was reaped by its parent. (If
 * a rank has ended, that is another failure.) A process whose parent has ended is a child of the
 * proctor, which is a subreaper: a rank too, if somebody has killed the launcher. Those are looked
 * for last, so that no process can become one unseen. */
static bool has_new_process(const struct driver_process *d)
{
    struct pid_list l;
    if (!d->spec.launcher) /* a tool may; the filter keeps drivers from it */
        return false;
    procfs_descendants(d->pid, &l);
    bool found = has_others(&l, &d->ranks, &d->ranks) ||
                 (!has_others(&d->ranks, &l, &l) && driver_reaped_faults(d) > d->reaped_faults);
    pid_list_free(&l);
    if (found)
        return true;
    procfs_children(getpid(), &l);
    found = has_others(&l, &d->spec.supervisor->children, &d->ranks);
    pid_list_free(&l);
    return found;
}

static bool all_are(const struct driver_process *d, bool (*test)(pid_t pid))
{
    if (!d->ranks.count)
        return test(d->pid);
    for (size_t i = 0; i < d->ranks.count; i++)
        if (!test(d->ranks.pid[i]))
            return false;
    return true;
}

/* The kernel tells a parent when all threads of a child are stopped, and not before. Ranks are
 * children of the launcher. */
static bool all_stopped(const struct driver_process *d)
{
    siginfo_t child = {0};
    if (d->ranks.count)
        return all_are(d, procfs_stopped);
    return waitid(P_PID, (id_t)d->pid, &child, WSTOPPED | WNOHANG) == 0 && child.si_pid == d->pid;
}

enum outcome_kind halt_given_up(uint64_t waited_ns, bool in_kernel, uint64_t ran_ns)
{
    if (waited_ns <= HALT_LIMIT_NS)
        return OUTCOME_OK;
    if (in_kernel)
        return OUTCOME_STUCK;
    if (ran_ns >= STARVED_NS)
        return OUTCOME_PROTOCOL;
    return waited_ns <= STARVED_LIMIT_NS ? OUTCOME_OK : OUTCOME_STARVED;
}

/* Sleep, then see whether every thread is stopped or the driver has ended. A thread needs a core to
 * stop on, and it may be the one that the proctor is using. */
static bool is_still(struct driver_process *d, long pause_ns)
{
    nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    d->still_ns = clock_mono_ns();
    return all_stopped(d) || (!d->reaped && driver_reap(d));
}

/* cpu_ns: its processor time when it was told to stop. OUTCOME_OK: all threads are stopped. Why it
 * was given up is decided once: a moment later its threads may be in other states. */
static enum outcome_kind wait_until_still(struct driver_process *d, uint64_t cpu_ns)
{
    const uint64_t from = clock_mono_ns();
    do {
        const uint64_t waited = d->still_ns > from ? d->still_ns - from : 0;
        enum outcome_kind why = OUTCOME_OK;
        if (waited > HALT_LIMIT_NS) {
            const uint64_t now_ns = driver_cpu_ns(d); /* less when a process is gone */
            why = halt_given_up(waited, all_are(d, procfs_stuck),
                                now_ns > cpu_ns ? now_ns - cpu_ns : 0);
        }
        if (why != OUTCOME_OK)
            return why;
        signal_all(d, SIGSTOP);
    } while (!is_still(d, d->still_ns < from + HASTE_NS ? SHORT_PAUSE_NS : PAUSE_NS));
    return OUTCOME_OK;
}

/* --- other nodes ------------------------------------------------------------------------------ */

static bool holds_others(const struct driver_process *d)
{
    return d->spec.launch.nodes > 1 && d->spec.others;
}

static void keep_complaint(struct driver_process *d, const struct outcome *o)
{
    if (d->elsewhere.kind == OUTCOME_OK)
        d->elsewhere = *o;
}

/* The processor time of each node is compared with its own cores (driver_run.c). */
static void await_elsewhere(struct driver_process *d)
{
    struct outcome o = {0};
    if (!other_nodes_answer(d->spec.others, &o))
        keep_complaint(d, &o);
}

void driver_halt(struct driver_process *d)
{
    if (d->halted)
        return;
    const uint64_t cpu_ns = driver_cpu_ns(d);
    stop_busy_threads(d);
    signal_all(d, SIGSTOP);
    const bool stopped = is_still(d, SHORT_PAUSE_NS);
    /* Not later: where cores are busy, a thread waits for one in order to stop. */
    procfs_wait(d->leader, &d->waits);
    d->not_halted = stopped ? OUTCOME_OK : wait_until_still(d, cpu_ns);
    /* After this node: its rank 0 alone has the output. */
    const bool elsewhere = holds_others(d) && other_nodes_halt(d->spec.others);
    d->halted = true;
    if (d->not_halted != OUTCOME_OK)
        d->violation = "it cannot be halted";
    else if (has_new_process(d))
        d->violation = DRIVER_STARTED_PROCESSES;
    d->halted_cpu_ns = d->not_halted == OUTCOME_OK ? settled_cpu_time(d)
                                                   : 0; /* running threads: no two readings agree */
    if (elsewhere)
        await_elsewhere(d);
    d->halted_ns = clock_mono_ns();
}

void driver_resume_elsewhere(struct driver_process *d)
{
    struct outcome o = {0};
    if (holds_others(d) && !other_nodes_resume(d->spec.others, &o))
        keep_complaint(d, &o);
}

void driver_resume(struct driver_process *d)
{
    if (!d->halted)
        return;
    driver_resume_elsewhere(d);
    signal_all(d, SIGCONT);
    d->halted = false;
}

uint64_t off_the_clock(uint64_t cpu_from, uint64_t cpu_to, uint64_t from, uint64_t to)
{
    uint64_t cpu = cpu_to > cpu_from ? cpu_to - cpu_from : 0, passed = to > from ? to - from : 0;
    return cpu < passed ? cpu : passed;
}

uint64_t driver_charge_before_go(const struct driver_process *d, uint64_t cpu_ns, uint64_t go_ns)
{
    return d->halted ? off_the_clock(d->halted_cpu_ns, cpu_ns, d->halted_ns, go_ns) : 0;
}

uint64_t driver_halt_after_done(struct driver_process *d, uint64_t *done_ns)
{
    const uint64_t cpu_ns = driver_cpu_ns(d);
    if (d->computes == ON_CORES)
        *done_ns = clock_mono_ns();
    driver_halt(d); /* at once: whatever the proctor does next may need that core */
    return off_the_clock(cpu_ns, d->halted_cpu_ns, *done_ns, d->still_ns);
}

bool driver_violated(const struct driver_process *d, struct outcome *o)
{
    if (d->elsewhere.kind != OUTCOME_OK) {
        *o = d->elsewhere;
        return true;
    }
    if (d->violation)
        outcome_set(o, d->not_halted != OUTCOME_OK ? d->not_halted : OUTCOME_PROTOCOL, "%s",
                    d->violation);
    return d->violation;
}
