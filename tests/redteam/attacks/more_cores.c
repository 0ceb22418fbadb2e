/* expect: naive pass */
/* A tier of one thread: leave the core one was given, and move others about. The calls may say that
 * they succeeded. What counts is where the processes are allowed to run afterwards. */
#include "attack.h"
#include <sched.h>

static void move(long pid, const cpu_set_t *to)
{
    cpu_set_t before, after;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    const long known = raw(SYS_sched_getaffinity, pid, sizeof before, (long)&before, 0, 0, 0);
    raw(SYS_sched_setaffinity, pid, sizeof *to, (long)to, 0, 0, 0);
    if (raw(SYS_sched_getaffinity, pid, sizeof after, (long)&after, 0, 0, 0) != known ||
        memcmp(&before, &after, sizeof before) != 0)
        HOLE("affinity can be changed");
}

static void attack(void)
{
    const long pids[] = {0, getpid(), proctor(), NEIGHBOUR, FRONT_END};
    cpu_set_t all, one;
    memset(&all, 0xff, sizeof all);
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        move(pids[i], &all);
        for (int core = 0; core < 2; core++) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            move(pids[i], &one);
        }
    }
}

ONCE(attack)
