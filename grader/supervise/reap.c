#include "supervise/reap.h"

#include <errno.h>
#include <sys/wait.h>

#include "supervise/priority.h"

/* Collect a child that is known to have ended. */
static bool collect(pid_t child, int *status, struct rusage *used)
{
    const int nice = getpriority(PRIO_PROCESS, 0);
    if (nice < PRIORITY_USUAL)
        priority_set(PRIORITY_USUAL);
    const bool got = wait4(child, status, WNOHANG, used) == child;
    if (nice < PRIORITY_USUAL)
        priority_set(nice);
    return got;
}

bool reap(pid_t child, int *status, struct rusage *used)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == child && collect(child, status, used);
}

void reap_wait(pid_t child, int *status)
{
    siginfo_t ended = {0};
    int rc;
    do
        rc = waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT);
    while (rc != 0 && errno == EINTR);
    if (rc == 0)
        collect(child, status, NULL);
}
