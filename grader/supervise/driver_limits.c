#include "supervise/driver_limits.h"

#include <poll.h>
#include <unistd.h>

#include "base/disk_use.h"
#include "supervise/cores.h"
#include "supervise/driver_deadlock.h"
#include "supervise/driver_waits.h"

enum {
    COUNT_EVERY_MS = 250, /* checks that read many files of /proc or walk a directory */
    OUTPUT_KEPT = 16384,
    FILES_OF_MPI = 64 << 20, /* bytes, in addition to the limit on output */
    LATE_OUTPUT_MS = 200,    /* mpirun passes on what ranks print, later on a busy node */
    /* Processes and threads that MPI adds to those of the launch: for each rank, and for all. */
    EXTRA_PER_RANK = 8,
    EXTRA = 16,
    EXTRA_OF_TOOL = 64, /* which also needs memory, in the driver as well: */
};

#define MEMORY_OF_TOOL (UINT64_C(2) << 30)

void driver_read_output(struct driver_process *d)
{
    char buf[65536];
    ssize_t n;
    while ((n = read(d->output_fd, buf, sizeof buf)) > 0) {
        d->output_bytes += (uint64_t)n;
        strbuf_add(&d->output, buf, (size_t)n);
        strbuf_keep_end(&d->output, OUTPUT_KEPT);
        if (d->output_bytes > d->spec.limits->output_bytes)
            return;
    }
}

uint64_t driver_files_most(const struct driver_spec *spec)
{
    return spec->limits->output_bytes + FILES_OF_MPI;
}

/* The sum over all processes that run student code. */
static uint64_t sum(const struct driver_process *d, uint64_t (*of)(pid_t pid))
{
    if (!d->ranks.count)
        return of(d->leader ? d->leader : d->pid);
    uint64_t all = 0;
    for (size_t i = 0; i < d->ranks.count; i++)
        all += of(d->ranks.pid[i]);
    return all;
}

void driver_await_output(struct driver_process *d)
{
    struct pollfd p = {d->output_fd, POLLIN, 0};
    uint64_t before;
    driver_read_output(d);
    if (!d->spec.launcher || d->output_fd < 0)
        return;
    const uint64_t written = d->spec.launch.nodes > 1 ? 0 : sum(d, procfs_written);
    if (written && written == d->written)
        return;
    do { /* until nothing comes any more */
        before = d->output_bytes;
        poll(&p, 1, LATE_OUTPUT_MS);
        driver_read_output(d);
    } while (d->output_bytes > before && d->output_bytes <= d->spec.limits->output_bytes);
    d->written = written;
}

static uint64_t measure_memory(struct driver_process *d, uint64_t (*of)(pid_t pid))
{
    /* The launcher keeps what ranks publish. */
    const uint64_t launcher = d->ranks.count ? of(d->pid) : 0;
    const uint64_t memory = sum(d, of) + launcher + d->unseen + d->in_files;
    if (memory > d->peak_memory)
        d->peak_memory = memory;
    return memory;
}

uint64_t driver_measure_memory(struct driver_process *d)
{
    return measure_memory(d, procfs_private_memory);
}

/* Looking at all pages each time would take a tenth of a core from what is timed. */
static bool memory_within(struct driver_process *d, bool exactly, struct outcome *o)
{
    const uint64_t memory =
        measure_memory(d, exactly ? procfs_private_memory : procfs_counted_memory);
    if (memory <= d->spec.limits->memory_bytes + (d->spec.tool ? MEMORY_OF_TOOL : 0))
        return true;
    o->memory = memory;
    outcome_set(o, OUTCOME_MEMORY, "memory limit");
    return false;
}

/* Files by the means that every node has. They miss files that are open and have no name. */
static struct files_held held_below(const char *dir)
{
    const struct disk_count c = disk_count(dir);
    return (struct files_held){.bytes = c.too_deep ? UINT64_MAX : c.bytes, .files = c.files};
}

/* Only under MPI: elsewhere the system call filter keeps kernels from writing files. */
static bool files_within(struct driver_process *d, struct outcome *o)
{
    const struct driver_spec *s = &d->spec;
    struct files_held home = {0}, shm = {0};
    if (!s->launcher)
        return true;
    if (!d->own.home) {
        home = held_below(s->scratch);
        if (s->shm)
            shm = held_below(s->shm);
    } else if (own_files_held(d->own.home, d->pid, &home)) {
        own_files_held(d->own.shm, d->pid, &shm);
    }
    d->in_files = shm.bytes;
    if (home.bytes <= driver_files_most(s) && home.files <= OWN_FILES_MOST &&
        shm.files <= OWN_FILES_MOST)
        return true;
    outcome_set(o, OUTCOME_FILES, "file limit");
    return false;
}

static bool processes_within(const struct driver_process *d, struct outcome *o)
{
    const struct launch l = launch_on_node(d->spec.launch);
    const int allowance = l.ranks * (l.threads + EXTRA_PER_RANK) + EXTRA;
    const int asked = d->spec.limits->processes, tool = d->spec.tool ? EXTRA_OF_TOOL : 0;
    const int limit = (asked > allowance ? asked : allowance) + tool;
    struct pid_list below;
    int n = procfs_threads(d->pid);
    procfs_descendants(d->pid, &below);
    for (size_t i = 0; i < below.count; i++)
        n += procfs_threads(below.pid[i]);
    pid_list_free(&below);
    o->processes = n;
    o->processes_most = limit;
    if (n <= limit)
        return true;
    outcome_set(o, OUTCOME_PROCESSES, "process limit");
    return false;
}

/* The longest time that a thread of any rank waited for a core. */
static uint64_t longest_wait(const struct driver_process *d)
{
    if (!d->ranks.count)
        return sum(d, procfs_held_up);
    uint64_t longest = 0;
    for (size_t i = 0; i < d->ranks.count; i++) {
        const uint64_t waited = procfs_held_up(d->ranks.pid[i]);
        longest = waited > longest ? waited : longest;
    }
    return longest;
}

/* For how long other programs have computed on its cores, since the node started. */
static uint64_t others(const struct driver_process *d)
{
    const uint64_t busy = cores_busy_ns(d->spec.cpus, d->spec.cpu_count),
                   own = sum(d, procfs_cpu_ns);
    return busy > own ? busy - own : 0;
}

/* Has it more threads than cores? Then the grader has asked for this, and they may wait for each
 * other. */
static bool shares_cores(const struct driver_process *d)
{
    return launch_workers(launch_on_node(d->spec.launch)) > d->spec.cpu_count;
}

static void look_at_waiting(struct driver_process *d, uint64_t deadline)
{
    d->deadline = deadline;
    d->held_up_ns = longest_wait(d);
    d->others_ns = others(d);
    d->waits_stamp = driver_waits_stamp(d);
}

static uint64_t more(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

/* Put the deadline off by the time that the driver has waited for a core since this was last done.
 * Not by the sum over its ranks: ranks that wait for each other forever on too few cores would put
 * it off faster than the time passes. And only for others: a kernel could let its own threads wait
 * for each other, and have as much time as it likes. Reading this takes a moment, so it is done
 * when a deadline is over, and soon after it was set. */
static void put_off(struct driver_process *d, uint64_t *deadline)
{
    const uint64_t held_up_ns = d->held_up_ns, others_ns = d->others_ns, stamp = d->waits_stamp;
    look_at_waiting(d, *deadline);
    if (stamp && stamp == d->waits_stamp) /* they wait for each other, and need no core */
        return;
    const uint64_t waited = more(d->held_up_ns, held_up_ns);
    const uint64_t for_others = more(d->others_ns, others_ns);
    *deadline += shares_cores(d) || waited < for_others ? waited : for_others;
    d->deadline = *deadline;
}

bool driver_output_within(const struct driver_process *d, struct outcome *o)
{
    const bool within = d->output_bytes <= d->spec.limits->output_bytes;
    if (!within)
        outcome_set(o, OUTCOME_OUTPUT, "output limit");
    return within;
}

bool driver_within_limits(struct driver_process *d, uint64_t now, uint64_t *deadline,
                          struct outcome *o)
{
    if (!driver_output_within(d, o))
        return false;
    const bool count = now - d->checked_ns >= (uint64_t)COUNT_EVERY_MS * 1000000;
    if (count) {
        d->checked_ns = now;
        d->unseen = sum(d, procfs_unseen_memory);
        if (!files_within(d, o) || !processes_within(d, o))
            return false;
    }
    if (!memory_within(d, count, o))
        return false;
    if (d->deadline != *deadline)
        look_at_waiting(d, *deadline);
    if (d->unit_deadline && now > d->unit_deadline) {
        outcome_set(o, OUTCOME_UNIT_TIMEOUT, "unit limit");
        return false;
    }
    if (count && driver_is_deadlocked(d, now, &o->deadlock_ns)) {
        outcome_set(o, OUTCOME_CASE_TIMEOUT, "deadlock");
        driver_waits_text(d, o->waits, sizeof o->waits);
        return false;
    }
    if (now > *deadline)
        put_off(d, deadline);
    if (now > *deadline) {
        outcome_set(o, OUTCOME_CASE_TIMEOUT, "case limit");
        driver_waits_text(d, o->waits, sizeof o->waits);
        return false;
    }
    return true;
}
