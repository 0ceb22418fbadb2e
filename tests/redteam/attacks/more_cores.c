/* expect: naive pass */
/* A tier of one thread: leave the core one was given, and move others about. */
#include "attack.h"
#include <sched.h>

static void attack(void)
{
    const long pids[] = {0, getpid(), getppid(), NEIGHBOUR, FRONT_END};
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++)
        if (raw(SYS_sched_setaffinity, pids[i], sizeof all, (long)&all, 0, 0, 0) == 0)
            HOLE("affinity can be changed");
}

ONCE(attack)
