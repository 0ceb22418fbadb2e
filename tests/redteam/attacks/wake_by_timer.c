/* expect: naive pass */
/* A timer that sends SIGCONT would wake the halted driver, to work on the next inputs before the
 * clock starts. */
#include "attack.h"
#include <time.h>

static void attack(void)
{
    struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    int id;
    if (raw(SYS_timer_create, CLOCK_MONOTONIC, (long)&ev, (long)&id, 0, 0, 0) == 0)
        HOLE("a timer can send SIGCONT");
}

ONCE(attack)
