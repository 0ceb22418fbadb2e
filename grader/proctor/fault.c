#include "proctor/fault.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "supervise/driver_start.h"

enum verdict fault_attribute(struct harness *s, struct driver_process *lost, bool alone,
                             const struct outcome *o, struct unexplained_end *d, char *message,
                             size_t cap)
{
    struct outcome known = *o;
    bool device = driver_has_device(lost);
    known.unexplained_before = d->before;
    enum verdict v = outcome_verdict(&known, s->kernel, &s->assignment->limits, message, cap);
    d->now = v == VERDICT_INFRA_ERROR && outcome_is_unexplained(o);
    if (driver_alive(lost))
        driver_end(lost);
    /* The device's own trouble would be everybody's; what only this process tells, it may make up.
     */
    if (o->kind == OUTCOME_DEVICE && v == VERDICT_INFRA_ERROR && harness_answers(s))
        return VERDICT_CRASH;
    /* With its driver gone, what the student took is free again: who has no room now has it taken
     * away by somebody else. */
    bool no_room = v == VERDICT_OUT_OF_MEMORY || o->kind == OUTCOME_DRIVER_FAILED;
    char *why = device && no_room && alone ? harness_refused(s) : NULL;
    if (!why)
        return v;
    snprintf(message, cap, "the GPU has no room for the matrices, whoever asks (%s)", why);
    free(why);
    return VERDICT_INFRA_ERROR;
}
