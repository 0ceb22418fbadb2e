#include "supervise/driver_process.h"

#include <string.h>
#include <sys/wait.h>

bool driver_alive(const struct driver_process *d)
{
    return d->pid > 0;
}

bool driver_reap(struct driver_process *d)
{
    if (d->reaped || d->pid <= 0)
        return true;
    d->reaped = waitpid(d->pid, &d->wait_status, WNOHANG) == d->pid;
    return d->reaped;
}

bool driver_uses_gpu(const struct driver_spec *spec)
{
    return launch_kind_has(spec->kind, KIND_DEVICE);
}

bool driver_has_device(const struct driver_process *d)
{
    return driver_uses_gpu(&d->spec);
}

bool driver_fell_back(const struct driver_process *d)
{
    return driver_has_device(d) && strcmp(d->device, PG_HOST_FALLBACK) == 0;
}

bool driver_has_mirror(const struct driver_process *d)
{
    return driver_has_device(d) && !driver_fell_back(d);
}

bool driver_same_mirror(const struct driver_process *a, const struct driver_process *b)
{
    return driver_has_mirror(a) && driver_has_mirror(b) && a->spec.kind == b->spec.kind &&
           a->spec.memory == b->spec.memory;
}
