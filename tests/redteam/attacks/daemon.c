/* expect: naive pass */
/* Leave a daemon behind: fork, setsid, fork. */
#include "attack.h"

static void attack(void)
{
    long pid = raw(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (pid > 0)
        HOLE("fork");
    if (raw(SYS_setsid, 0, 0, 0, 0, 0, 0) > 0)
        HOLE("setsid");
    if (pid == 0 && raw(SYS_fork, 0, 0, 0, 0, 0, 0) == 0)
        for (;;)
            pause();
}

ONCE(attack)
