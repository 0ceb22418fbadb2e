#include "proctor/fault.h"

#include <stdio.h>
#include <stdlib.h>

#include "supervise/driver_start.h"

enum verdict fault_attribute(struct harness *h, const struct lost_driver *lost,
                             struct unexplained_end *u, char *message, size_t cap)
{
    struct outcome o = *lost->outcome;
    const bool device = driver_may_use_device(&lost->driver->spec);
    o.unexplained_before = u->before;
    enum verdict v = outcome_verdict(&o, h->kernel, &h->assignment->limits, message, cap);
    u->now = v == VERDICT_INFRA_ERROR && outcome_is_unexplained(&o);
    if (driver_alive(lost->driver))
        driver_end(lost->driver);
    /* If the device itself had failed, the yardstick could not use it either. An error that only
     * this driver reports may be made up. */
    if (o.kind == OUTCOME_DEVICE && v == VERDICT_INFRA_ERROR && harness_answers(h))
        return VERDICT_CRASH;
    /* The driver has ended, so its memory is free again. If there is still no room on the device,
     * some other program uses it. */
    const bool no_room = v == VERDICT_OUT_OF_MEMORY || o.kind == OUTCOME_DRIVER_FAILED;
    char *why = device && no_room && lost->alone ? harness_refused(h) : NULL;
    if (!why)
        return v;
    snprintf(message, cap, "the GPU has no room for the matrices, whoever asks (%s)", why);
    free(why);
    return VERDICT_INFRA_ERROR;
}
