#include "supervise/driver_pin.h"

#include <sched.h>

/* Bind all threads of a process to these cores. */
static void pin_process(pid_t pid, const int *cpus, int count)
{
    FREED_BY(pid_list_free) struct pid_list threads = {0};
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET((size_t)cpus[i], &set);
    procfs_thread_list(pid, &threads);
    for (size_t i = 0; i < threads.count; i++)
        sched_setaffinity(threads.pid[i], sizeof set, &set);
}

void driver_pin(struct driver_process *d, const int *cpus, int count)
{
    const struct launch l = launch_on_node(d->spec.launch);
    if (d->computes != ON_CORES)
        return;
    d->core = cpus[0];
    if (!d->ranks.count) {
        if (l.threads == 1)
            pin_process(d->leader, cpus, count);
        return;
    }
    const bool enough = launch_workers(l) <= count && (int)d->ranks.count == l.ranks;
    for (size_t i = 0; i < d->ranks.count; i++)
        pin_process(d->ranks.pid[i], enough ? cpus + i * (size_t)l.threads : cpus,
                    enough ? l.threads : count);
}
