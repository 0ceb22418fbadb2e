/* expect: naive pass */
/* Each system call that no kernel needs is one more way out, or to keep the machine busy while the
 * driver is halted. */
#include "attack.h"
#include "calls.h"

static void attack(void)
{
    try_calls(needless, sizeof needless / sizeof *needless);
    try_calls(needless_alone, sizeof needless_alone / sizeof *needless_alone);
}

ONCE(attack)
