#include "supervise/driver_limits.h"

#include <poll.h>
#include <unistd.h>

#include "base/disk_use.h"

enum {
    COUNT_EVERY_MS = 250, /* checks that read many files of /proc or walk a directory */
    OUTPUT_KEPT = 16384,
    LATE_OUTPUT_MS = 200, /* mpirun passes on what ranks print, later on a busy node */
    /* Processes and threads that MPI adds to those of the launch: for each rank, and for all. */
    EXTRA_PER_RANK = 8,
    EXTRA = 16,
};

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

void driver_await_output(struct driver_process *d)
{
    struct pollfd p = {d->output_fd, POLLIN, 0};
    uint64_t before;
    driver_read_output(d);
    if (!d->spec.launcher || d->output_fd < 0)
        return;
    do { /* until nothing comes any more */
        before = d->output_bytes;
        poll(&p, 1, LATE_OUTPUT_MS);
        driver_read_output(d);
    } while (d->output_bytes > before && d->output_bytes <= d->spec.limits->output_bytes);
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

uint64_t driver_measure_memory(struct driver_process *d)
{
    const uint64_t memory = sum(d, procfs_private_memory) + d->page_tables;
    if (memory > d->peak_memory)
        d->peak_memory = memory;
    return memory;
}

static bool memory_within(struct driver_process *d, struct outcome *o)
{
    const uint64_t memory = driver_measure_memory(d);
    if (memory <= d->spec.limits->memory_bytes)
        return true;
    o->memory = memory;
    outcome_set(o, OUTCOME_MEMORY, "memory limit");
    return false;
}

/* Only under MPI: elsewhere the system call filter keeps kernels from writing files. */
static bool files_within(const struct driver_process *d, struct outcome *o)
{
    const struct limits *l = d->spec.limits;
    if (!d->spec.launcher)
        return true;
    if (disk_use(d->spec.scratch) > l->output_bytes + DRIVER_FILES_MOST) {
        outcome_set(o, OUTCOME_FILES, "file limit");
        return false;
    }
    const uint64_t shared = d->spec.shm ? disk_use(d->spec.shm) : 0;
    if (shared > l->memory_bytes) {
        o->memory = shared;
        outcome_set(o, OUTCOME_MEMORY, "shared memory limit");
        return false;
    }
    return true;
}

static bool processes_within(const struct driver_process *d, struct outcome *o)
{
    const struct launch l = d->spec.launch;
    const int allowance = l.ranks * (l.threads + EXTRA_PER_RANK) + EXTRA;
    const int asked = d->spec.limits->processes, limit = asked > allowance ? asked : allowance;
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

/* Put the deadline off by the time that the driver waited for a core since this was last done. Not
 * by the sum over its ranks: ranks that wait for each other forever on too few cores would put it
 * off faster than the time passes. Reading this takes a moment, so it is done when the deadline is
 * over. */
static void put_off(struct driver_process *d, uint64_t *deadline)
{
    const uint64_t held_up = longest_wait(d);
    if (held_up <= d->held_up_ns)
        return;
    *deadline += held_up - d->held_up_ns;
    d->held_up_ns = held_up;
}

bool driver_within_limits(struct driver_process *d, uint64_t now, uint64_t *deadline,
                          struct outcome *o)
{
    if (d->output_bytes > d->spec.limits->output_bytes) {
        outcome_set(o, OUTCOME_OUTPUT, "output limit");
        return false;
    }
    if (!memory_within(d, o))
        return false;
    if (now - d->checked_ns >= (uint64_t)COUNT_EVERY_MS * 1000000) {
        d->checked_ns = now;
        d->page_tables = sum(d, procfs_page_tables);
        if (!files_within(d, o) || !processes_within(d, o))
            return false;
    }
    if (d->unit_deadline && now > d->unit_deadline) {
        outcome_set(o, OUTCOME_UNIT_TIMEOUT, "unit limit");
        return false;
    }
    if (now > *deadline)
        put_off(d, deadline);
    if (now > *deadline) {
        outcome_set(o, OUTCOME_CASE_TIMEOUT, "case limit");
        return false;
    }
    return true;
}
