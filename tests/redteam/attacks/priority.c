/* expect: naive pass */
/* Raise one's own priority, lower that of others. To ask for the ordinary policy may seem to work,
 * but it changes nothing. */
#include "attack.h"
#include <sched.h>

static void attack(void)
{
    const long pids[] = {0, proctor(), NEIGHBOUR, FRONT_END};
    static const int policies[] = {SCHED_FIFO, SCHED_RR, SCHED_BATCH, SCHED_IDLE,
                                   SCHED_OTHER | SCHED_RESET_ON_FORK};
    const struct sched_param param[] = {{1}, {1}, {0}, {0}, {0}};
    long policy_before[sizeof pids / sizeof pids[0]];
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++)
        policy_before[i] = raw(SYS_sched_getscheduler, pids[i], 0, 0, 0, 0, 0);
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        if (raw(SYS_setpriority, 0, pids[i], 19, 0, 0, 0) == 0)
            HOLE("setpriority");
        for (unsigned k = 0; k < sizeof policies / sizeof policies[0]; k++)
            if (raw(SYS_sched_setscheduler, pids[i], policies[k], (long)&param[k], 0, 0, 0) == 0)
                HOLE("sched_setscheduler");
        raw(SYS_sched_setscheduler, pids[i], SCHED_OTHER, (long)&param[2], 0, 0, 0);
        raw(SYS_sched_setparam, pids[i], (long)&param[0], 0, 0, 0, 0);
        if (raw(SYS_sched_getscheduler, pids[i], 0, 0, 0, 0, 0) != policy_before[i])
            HOLE("the policy changed");
        if (raw(SYS_ioprio_set, 1, pids[i], 3 << 13, 0, 0, 0) == 0)
            HOLE("ioprio_set");
    }
}

ONCE(attack)
