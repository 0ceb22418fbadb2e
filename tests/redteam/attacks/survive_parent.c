/* expect: naive pass */
/* Live on when the proctor dies. */
#include "attack.h"
#include <sys/prctl.h>

static void attack(void)
{
    if (raw(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0, 0) == 0)
        HOLE("PR_SET_PDEATHSIG");
}

ONCE(attack)
