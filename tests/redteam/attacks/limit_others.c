/* expect: naive pass */
/* Take away the processor time and files of processes outside, by prlimit. */
#include "attack.h"
#include <sys/resource.h>

static void attack(void)
{
    const long pids[] = {proctor(), NEIGHBOUR, FRONT_END, NEIGHBOUR | 1L << 32};
    struct rlimit r = {600, 600}, old;
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        if (raw(SYS_prlimit64, pids[i], RLIMIT_NOFILE, (long)&r, (long)&old, 0, 0) == 0)
            HOLE("prlimit of another process");
        if (raw(SYS_prlimit64, pids[i], RLIMIT_NOFILE, 0, (long)&old, 0, 0) == 0)
            HOLE("limits of another process can be read");
    }
}

ONCE(attack)
