#include "proctor/fault.h"

#include <stdio.h>

#include "supervise/driver_start.h"

/* Does the device work for a driver of the grader? Otherwise `message` says what does not. */
static bool device_works(struct harness *h, const struct driver_spec *like, bool matrices,
                         char *message, size_t cap)
{
    struct outcome o;
    harness_try_device(h, like, matrices, &o);
    if (o.kind == OUTCOME_OK)
        return true;
    const char *why = o.text[0] ? o.text : o.error.name[0] ? o.error.name : "its driver ended";
    if (o.kind == OUTCOME_DRIVER_FAILED)
        snprintf(message, cap,
                 "the GPU has no room for the matrices, although the student's process has ended "
                 "(%s): another program probably uses its memory. `nvidia-smi` lists the programs",
                 why);
    else
        snprintf(message, cap, "the GPU does not work for the grader either (%s)", why);
    return false;
}

enum verdict fault_attribute(struct harness *h, const struct lost_driver *lost,
                             struct unexplained_end *u, char *message, size_t cap)
{
    struct outcome o = *lost->outcome;
    /* driver_end() clears these. */
    const struct driver_spec spec = lost->driver->spec;
    const bool on_cores = lost->driver->computes == ON_CORES;
    o.unexplained_before = u->before;
    enum verdict v = outcome_verdict(&o, h->kernel, &h->assignment->limits, message, cap);
    u->now = v == VERDICT_INFRA_ERROR && outcome_is_unexplained(&o);
    if (driver_alive(lost->driver))
        driver_end(lost->driver);
    /* The driver has ended, so its memory is free again. If there is still no room on the device,
     * some other program uses it. */
    const bool no_room = (o.kind == OUTCOME_DEVICE && v == VERDICT_OUT_OF_MEMORY) ||
                         o.kind == OUTCOME_DRIVER_FAILED,
               matrices = no_room && lost->alone;
    if (on_cores || (!matrices && !outcome_is_node_device(&o)) ||
        device_works(h, &spec, matrices, message, cap))
        return v;
    u->now = false; /* this has an explanation */
    return VERDICT_INFRA_ERROR;
}
