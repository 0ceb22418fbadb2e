/* expect: mpi pass */
/* The same in a rank: MPI needs sockets, but none of the rest. */
#include "attack.h"
#include "calls.h"

static void attack(void)
{
    try_calls(needless, sizeof needless / sizeof *needless);
    (void)needless_alone;
    (void)pair;
}

ONCE_MPI(attack)
