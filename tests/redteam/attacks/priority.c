/* expect: naive pass */
/* Raise one's own priority, lower that of others. */
#include "attack.h"
#include <sched.h>

static void attack(void)
{
    const long pids[] = {0, getppid(), NEIGHBOUR, FRONT_END};
    struct sched_param fifo = {1};
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        if (raw(SYS_setpriority, 0, pids[i], 19, 0, 0, 0) == 0)
            HOLE("setpriority");
        if (raw(SYS_sched_setscheduler, pids[i], SCHED_FIFO, (long)&fifo, 0, 0, 0) == 0)
            HOLE("sched_setscheduler");
        if (raw(SYS_ioprio_set, 1, pids[i], 3 << 13, 0, 0, 0) == 0)
            HOLE("ioprio_set");
    }
}

ONCE(attack)
