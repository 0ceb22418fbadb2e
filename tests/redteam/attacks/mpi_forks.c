/* expect: mpi pass */
/* Ranks that make processes, in every way there is. */
#include "attack.h"
#include <sched.h>

static void attack(void)
{
    static const long ways[] = {SIGCHLD, CLONE_PARENT | SIGCHLD, CLONE_VFORK | SIGCHLD,
                                CLONE_UNTRACED | SIGCHLD, CLONE_FILES | CLONE_FS | SIGCHLD,
                                /* taken as 32 bits */
                                SIGCHLD | 1L << 40};
    long pid;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        pid = raw(SYS_clone, ways[i], 0, 0, 0, 0, 0);
        if (pid == 0)
            raw(SYS_exit, 0, 0, 0, 0, 0, 0);
        if (pid > 0)
            HOLE("clone");
    }
    uint64_t arguments[11] = {0, 0, 0, 0, SIGCHLD};
    pid = raw(SYS_clone3, (long)arguments, sizeof arguments, 0, 0, 0, 0);
    if (pid == 0)
        raw(SYS_exit, 0, 0, 0, 0, 0, 0);
    if (pid > 0)
        HOLE("clone3");
    pid = raw(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (pid == 0)
        raw(SYS_exit, 0, 0, 0, 0, 0, 0);
    if (pid > 0)
        HOLE("fork");
}

ONCE_MPI(attack)
