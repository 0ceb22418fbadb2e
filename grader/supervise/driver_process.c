#include "supervise/driver_process.h"

#include <sys/resource.h>

#include "supervise/reap.h"

bool driver_alive(const struct driver_process *d)
{
    return d->pid > 0;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

bool driver_reap(struct driver_process *d)
{
    if (d->reaped || d->pid <= 0)
        return true;
    struct rusage used;
    d->reaped = reap(d->pid, &d->wait_status, &used);
    if (d->reaped) {
        d->cpu_used = seconds(used.ru_utime) + seconds(used.ru_stime);
        d->peak_resident = (uint64_t)used.ru_maxrss * 1024;
    }
    return d->reaped;
}
