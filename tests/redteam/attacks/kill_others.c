/* expect: naive pass */
/* Kill, stop and continue the proctor, its parent, a neighbour, everybody. */
#include "attack.h"

static void attack(void)
{
    static const int signals[] = {0, SIGSTOP, SIGCONT, SIGKILL};
    const int pids[] = {proctor(), NEIGHBOUR, FRONT_END, -1, 1, -NEIGHBOUR};
    for (unsigned i = 0; i < sizeof pids / sizeof pids[0]; i++)
        for (unsigned j = 0; j < 4; j++) {
            if (pids[i] == 1 && j)
                continue; /* asking is enough */
            siginfo_t si = {.si_code = SI_QUEUE};
            if (raw(SYS_kill, pids[i], signals[j], 0, 0, 0, 0) == 0 && pids[i] != -1)
                HOLE("kill");
            if (pids[i] > 1 && raw(SYS_tkill, pids[i], signals[j], 0, 0, 0, 0) == 0)
                HOLE("tkill");
            if (pids[i] > 1 && raw(SYS_tgkill, pids[i], pids[i], signals[j], 0, 0, 0) == 0)
                HOLE("tgkill");
            if (pids[i] > 1 &&
                raw(SYS_rt_sigqueueinfo, pids[i], signals[j], (long)&si, 0, 0, 0) == 0)
                HOLE("rt_sigqueueinfo");
        }
}

ONCE(attack)
