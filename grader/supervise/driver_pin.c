#include "supervise/driver_pin.h"

#include <sched.h>

/* Bind all threads of a process to these cores. */
static void pin_process(pid_t pid, const int *cpus, int count)
{
    struct wait_times w; /* only for its list of threads */
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET((size_t)cpus[i], &set);
    procfs_wait(pid, &w);
    for (size_t i = 0; i < w.count; i++)
        sched_setaffinity(w.tid[i], sizeof set, &set);
}

void driver_pin(struct driver_process *d, const int *cpus, int count)
{
    const struct launch l = d->spec.launch;
    if (driver_may_use_device(&d->spec))
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
