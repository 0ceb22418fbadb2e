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
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Younger than some libseccomp; the same on every architecture. */
enum {
    NR_MEMFD_SECRET = 447,
    NR_FCHMODAT2 = 452,
    NR_SETXATTRAT = 463,
    NR_REMOVEXATTRAT = 466,
    NR_FILE_SETATTR = 469,
};

/* By every kernel. */
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
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(setdomainname),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(ioprio_set),
    /* Signals that reach other processes, or oneself while halted. */
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(timer_create),
    /* Landlock does not know these: they would open the instructor's files to others. */
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    NR_FCHMODAT2,
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    NR_SETXATTRAT,
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    NR_REMOVEXATTRAT,
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(utimensat),
    SCMP_SYS(futimesat),
    NR_FILE_SETATTR,
};

/* By drivers of devices. */
static const int refused_on_device[] = {
    SCMP_SYS(socket),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
};

/* By kernels on the host: memory that nobody counts. Drivers of devices have their own ways. */
static const int refused_on_host[] = {SCMP_SYS(memfd_create), NR_MEMFD_SECRET};

/* By kernels on the host outside MPI, whose runtime opens sockets late, keeps shared segments in
 * files, and reads large messages out of other ranks' memory (the Landlock domain keeps that among
 * the ranks).
 */
static const int refused_alone[] = {
    SCMP_SYS(socket),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(creat),
    SCMP_SYS(truncate),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rmdir),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
};

/* A call that is refused when some of an argument's bits have a value (mask 0: when the argument is
 * anything but the value). Arguments that the kernel takes as 32 bits are compared as 64 where that
 * refuses more, and by mask where it would refuse less. */
struct refusal {
    int call;
    unsigned argument;
    uint64_t mask, value;
};

static int refuse_if(scmp_filter_ctx f, const struct refusal *r)
{
    struct scmp_arg_cmp c = {r->argument, SCMP_CMP_NE, r->value, 0};
    if (r->mask)
        c = (struct scmp_arg_cmp){r->argument, SCMP_CMP_MASKED_EQ, r->mask, r->value};
    return seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), r->call, 1, &c);
}

static int refuse_some(scmp_filter_ctx f, const struct refusal *r, size_t n)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = refuse_if(f, &r[i]);
    return rc;
}

static int refuse_all(scmp_filter_ctx f, const int *calls, size_t n)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    return rc;
}

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define WORD UINT64_C(0xffffffff)

static int rules(scmp_filter_ctx f, int kind)
{
    const uint64_t self = (uint64_t)getpid(), parent = (uint64_t)getppid();
    const struct refusal always[] = {
        /* Threads are welcome, processes are not. */
        {SCMP_SYS(clone), 0, CLONE_THREAD, 0},
        /* Signals: to oneself, and none that would wake a halted process. */
        {SCMP_SYS(kill), 0, 0, self},
        {SCMP_SYS(kill), 1, WORD, SIGCONT},
        {SCMP_SYS(tgkill), 0, 0, self},
        {SCMP_SYS(tgkill), 2, WORD, SIGCONT},
        {SCMP_SYS(fcntl), 1, WORD, F_SETSIG},
        {SCMP_SYS(fcntl), 1, WORD, F_SETOWN},
        {SCMP_SYS(fcntl), 1, WORD, F_SETOWN_EX},
        {SCMP_SYS(fcntl), 1, WORD, F_SETLEASE},
        {SCMP_SYS(fcntl), 1, WORD, F_NOTIFY},
        /* The driver dies with the proctor. */
        {SCMP_SYS(prctl), 0, WORD, PR_SET_PDEATHSIG},
        /* Limits of others. */
        {SCMP_SYS(prlimit64), 0, 0, 0},
    };
    const struct refusal on_host[] = {
        {SCMP_SYS(mmap), 3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS},
    };
    const struct refusal alone[] = {
        {SCMP_SYS(open), 1, O_WRONLY, O_WRONLY}, {SCMP_SYS(open), 1, O_RDWR, O_RDWR},
        {SCMP_SYS(open), 1, O_CREAT, O_CREAT},   {SCMP_SYS(openat), 2, O_WRONLY, O_WRONLY},
        {SCMP_SYS(openat), 2, O_RDWR, O_RDWR},   {SCMP_SYS(openat), 2, O_CREAT, O_CREAT},
        {SCMP_SYS(openat), 2, O_TRUNC, O_TRUNC},
    };
    /* Daemons of the machine, such as those that vouch for users, listen on local sockets. mpirun
     * is in the same Landlock domain and has no filter: its memory must stay its own. */
    const struct refusal among_ranks[] = {
        {SCMP_SYS(socket), 0, WORD, AF_UNIX},
        {SCMP_SYS(socket), 0, WORD, AF_NETLINK},
        {SCMP_SYS(process_vm_readv), 0, WORD, parent},
        {SCMP_SYS(process_vm_writev), 0, WORD, parent},
    };
    int rc = refuse_all(f, refused, LENGTH(refused));
    if (rc == 0)
        rc = refuse_some(f, always, LENGTH(always));
    /* The C library falls back to older calls where those do not exist whose arguments, in memory,
     * a filter cannot see. */
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
    if (rc == 0 && kind == FILTER_DEVICE) /* whose files are opened for writing */
        return refuse_all(f, refused_on_device, LENGTH(refused_on_device));
    if (rc == 0)
        rc = refuse_all(f, refused_on_host, LENGTH(refused_on_host));
    if (rc == 0)
        rc = refuse_some(f, on_host, LENGTH(on_host));
    if (rc == 0 && kind == FILTER_MPI)
        return refuse_some(f, among_ranks, LENGTH(among_ranks));
    if (rc == 0)
        rc = refuse_all(f, refused_alone, LENGTH(refused_alone));
    if (rc == 0)
        rc = refuse_some(f, alone, LENGTH(alone));
    /* With one thread there is nothing to bind: the core that was given is the core that counts. */
    const char *threads = getenv("OMP_NUM_THREADS");
    if (rc == 0 && threads && strcmp(threads, "1") == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 0);
    return rc;
}

bool filter_enter(int kind)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    int rc = f ? rules(f, kind) : -ENOMEM;
    if (rc == 0)
        rc = seccomp_load(f);
    if (f)
        seccomp_release(f);
    if (rc != 0)
        fprintf(stderr, "paragrade driver: no system call filter: %s\n", strerror(-rc));
    return rc == 0;
}

#else

bool filter_enter(int kind)
{
    (void)kind;
    return false; /* built without libseccomp: `paragrade doctor` says so */
}

#endif
