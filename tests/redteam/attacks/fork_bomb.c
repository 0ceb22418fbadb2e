/* expect: naive pass */
/* Start processes, by every call there is. */
#include "attack.h"
#include <sched.h>

static void attack(void)
{
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    } c3 = {.exit_signal = SIGCHLD};
    long p[4];
    p[0] = raw(SYS_fork, 0, 0, 0, 0, 0, 0);
    p[1] = raw(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
    p[2] = raw(SYS_clone3, (long)&c3, sizeof c3, 0, 0, 0, 0);
    p[3] = raw(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0)
            for (;;)
                raw(SYS_fork, 0, 0, 0, 0, 0, 0);
        if (p[i] > 0)
            HOLE("a process was started");
    }
}

ONCE(attack)
