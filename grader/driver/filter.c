/*
 * Before the first line of student code runs in this process (constructors included), system
 * calls that a kernel has no use for are given up for good: starting programs or processes,
 * tracing, other processes' memory, System V and POSIX queues that outlive a process, namespaces,
 * and whatever else makes a large target. A call that is refused fails with EPERM.
 *
 * A list of what is refused, not of what is allowed: OpenMP, MPI and CUDA runtimes use many calls,
 * and differ. The Landlock domain around the driver holds the rest.
 */
#include "driver/driver.h"

#if __has_include(<seccomp.h>)
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>

void filter_enter(int mpi)
{
    static const int refused[] = {
        SCMP_SYS(execve),
        SCMP_SYS(execveat),
        SCMP_SYS(fork),
        SCMP_SYS(vfork),
        SCMP_SYS(ptrace),
        SCMP_SYS(kcmp),
        SCMP_SYS(pidfd_open),
        SCMP_SYS(pidfd_getfd),
        SCMP_SYS(pidfd_send_signal),
        SCMP_SYS(setns),
        SCMP_SYS(unshare),
        SCMP_SYS(mount),
        SCMP_SYS(umount2),
        SCMP_SYS(pivot_root),
        SCMP_SYS(chroot),
        SCMP_SYS(bpf),
        SCMP_SYS(perf_event_open),
        SCMP_SYS(userfaultfd),
        SCMP_SYS(io_uring_setup),
        SCMP_SYS(keyctl),
        SCMP_SYS(add_key),
        SCMP_SYS(request_key),
        SCMP_SYS(shmget),
        SCMP_SYS(shmat),
        SCMP_SYS(semget),
        SCMP_SYS(msgget),
        SCMP_SYS(mq_open),
        SCMP_SYS(sched_setscheduler),
        SCMP_SYS(sched_setattr),
        SCMP_SYS(setpriority),
        SCMP_SYS(setsid),
        SCMP_SYS(setpgid),
        SCMP_SYS(reboot),
        SCMP_SYS(swapon),
        SCMP_SYS(init_module),
        SCMP_SYS(finit_module),
        SCMP_SYS(kexec_load),
        SCMP_SYS(settimeofday),
        SCMP_SYS(clock_settime),
        SCMP_SYS(adjtimex),
        SCMP_SYS(clock_adjtime),
        SCMP_SYS(sethostname),
        SCMP_SYS(personality),
    };
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    int rc = f ? 0 : -ENOMEM;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0] && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    /* Threads are welcome, processes are not. The C library falls back to clone where clone3,
     * whose flags a filter cannot see, does not exist. */
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    /* MPI opens sockets late, and ranks read large messages out of each other's memory: the
     * Landlock domain keeps that among the ranks. */
    static const int kept_for_mpi[] = {SCMP_SYS(socket), SCMP_SYS(process_vm_readv),
                                       SCMP_SYS(process_vm_writev)};
    for (size_t i = 0; i < sizeof kept_for_mpi / sizeof kept_for_mpi[0] && !mpi && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), kept_for_mpi[i], 0);
    if (rc == 0)
        rc = seccomp_load(f);
    if (f)
        seccomp_release(f);
    if (rc != 0)
        fprintf(stderr, "paragrade driver: no system call filter: %s\n", strerror(-rc));
}

#else

void filter_enter(int mpi)
{
    (void)mpi; /* built without libseccomp: `paragrade doctor` says so */
}

#endif
