/* expect: naive pass */
/* Let the proctor's own messages send SIGCONT to the halted driver. */
#include "attack.h"

static void attack(void)
{
    int fd = driver_socket();
    if (raw(SYS_fcntl, fd, F_SETSIG, SIGCONT, 0, 0, 0) == 0)
        HOLE("F_SETSIG");
    if (raw(SYS_fcntl, fd, F_SETOWN, getpid(), 0, 0, 0) == 0)
        HOLE("F_SETOWN");
    if (raw(SYS_fcntl, fd, F_SETOWN, NEIGHBOUR, 0, 0, 0) == 0)
        HOLE("F_SETOWN of another process");
}

ONCE(attack)
