/*
 * Before the first line of student code runs in this process (constructors included), it gives up
 * all system calls except those of a list: computing, memory, threads, time, reading files, and
 * writing to open files. With MPI the list also has what its runtime does on one node; for a device
 * it also has what the driver of the device does. A call that is not on the list fails with EPERM.
 * A few calls are not made, but seem to succeed.
 *
 * tests/honest shows what must be on the list, tests/redteam what must not be.
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Some versions of libseccomp and of the headers lack these. They are the same on every
 * architecture.
 */
enum { NR_FUTEX_WAITV = 449, NAME_MEMORY = 0x53564d41 /* PR_SET_VMA */, CLOSE_UNSHARE = 2 };

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define EXACTLY UINT64_MAX
#define SOCKET_TYPE 0xf
#define REQUEST_TYPE 0xff00 /* the bits of a request of ioctl() that say whose it is */

/* --- what every kernel may call --------------------------------------------------------------- */

static const int computing[] = {
    /* memory */
    SCMP_SYS(brk),
    SCMP_SYS(get_mempolicy),
    SCMP_SYS(mbind),
    SCMP_SYS(mincore),
    SCMP_SYS(mlock),
    SCMP_SYS(mlock2),
    SCMP_SYS(mlockall),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(msync),
    SCMP_SYS(munlock),
    SCMP_SYS(munlockall),
    SCMP_SYS(munmap),
    SCMP_SYS(set_mempolicy),
    /* threads */
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    NR_FUTEX_WAITV,
    SCMP_SYS(get_robust_list),
    SCMP_SYS(getcpu),
    SCMP_SYS(gettid),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getattr),
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    /* time */
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getitimer),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(nanosleep),
    SCMP_SYS(restart_syscall), /* after the process was halted */
    SCMP_SYS(time),
    SCMP_SYS(times),
    /* signals to itself */
    SCMP_SYS(pause),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    /* reading files, and files that are open already */
    SCMP_SYS(access),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fstat),
    SCMP_SYS(fstatfs),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents),
    SCMP_SYS(getdents64),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(preadv2),
    SCMP_SYS(pselect6),
    SCMP_SYS(read),
    SCMP_SYS(readahead),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(select),
    SCMP_SYS(sendto),
    SCMP_SYS(stat),
    SCMP_SYS(statfs),
    SCMP_SYS(statx),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    /* questions about the machine and the process */
    SCMP_SYS(arch_prctl),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getgroups),
    SCMP_SYS(getpgid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getpriority),
    SCMP_SYS(getrandom),
    SCMP_SYS(getresgid),
    SCMP_SYS(getresuid),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(getsid),
    SCMP_SYS(getuid),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
};

/* --- what runtimes also call --------------------------------------------------------------- */

/* Open MPI on one node: events by libevent, segments of shared memory in files (the Landlock domain
 * says where), and TCP if an installation makes it use TCP. */
static const int of_mpi[] = {
    SCMP_SYS(accept),        SCMP_SYS(accept4),     SCMP_SYS(bind),        SCMP_SYS(connect),
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),   SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_wait),
    SCMP_SYS(eventfd2),      SCMP_SYS(fallocate),   SCMP_SYS(flock),       SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),     SCMP_SYS(getpeername), SCMP_SYS(getsockname), SCMP_SYS(getsockopt),
    SCMP_SYS(listen),        SCMP_SYS(membarrier),  SCMP_SYS(mkdir),       SCMP_SYS(mkdirat),
    SCMP_SYS(open),          SCMP_SYS(openat),      SCMP_SYS(pipe2),       SCMP_SYS(pwrite64),
    SCMP_SYS(rename),        SCMP_SYS(rmdir),       SCMP_SYS(sendmsg),     SCMP_SYS(setsockopt),
    SCMP_SYS(shutdown),      SCMP_SYS(unlink),      SCMP_SYS(unlinkat),
};

/* The driver of a device shares memory with the device, and talks to its own threads in many ways.
 */
static const int of_device[] = {
    SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(eventfd2),
    SCMP_SYS(fallocate),
    SCMP_SYS(flock),
    SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(link),
    SCMP_SYS(membarrier),
    SCMP_SYS(memfd_create),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(mmap),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(pwrite64),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(rmdir),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sendmsg),
    SCMP_SYS(socketpair),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
};

/* --- calls that are allowed with some arguments ------------------------------------------------
 */

/* A call is allowed if these bits of an argument have this value. With the mask EXACTLY, all 64
 * bits count, even if Linux uses only 32 of them. */
struct allowance {
    int call;
    unsigned argument;
    uint64_t mask, value;
};

/* A set of small values: numbers of signals and the like. */
enum { VALUES_END = 128 };

struct values {
    bool has[VALUES_END];
};

/* Threads are allowed, processes are not. A creator that waits for its thread (vfork) is not
 * allowed either, because it might not be possible to halt it. */
static const struct allowance always[] = {
    {SCMP_SYS(clone), 0,
     ~(uint64_t)(CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID),
     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD},
    {SCMP_SYS(prlimit64), 0, EXACTLY, 0},         /* not limits of other processes */
    {SCMP_SYS(close_range), 2, CLOSE_UNSHARE, 0}, /* not further tables of descriptors */
    /* None of these makes Linux send signals when something happens to a file: such a signal could
     * wake a halted process. */
    {SCMP_SYS(fcntl), 1, EXACTLY, F_DUPFD},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_DUPFD_CLOEXEC},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_GETFD},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_SETFD},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_GETFL},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_SETFL},
    {SCMP_SYS(ioctl), 1, EXACTLY, TCGETS},
    {SCMP_SYS(ioctl), 1, EXACTLY, TIOCGWINSZ},
    {SCMP_SYS(ioctl), 1, EXACTLY, FIONREAD},
    {SCMP_SYS(prctl), 0, EXACTLY, PR_SET_NAME},
    {SCMP_SYS(prctl), 0, EXACTLY, PR_GET_NAME},
    {SCMP_SYS(prctl), 0, EXACTLY, NAME_MEMORY},
};

static const struct allowance on_host[] = {
    /* No anonymous shared memory, because no limit counts it. */
    {SCMP_SYS(mmap), 3, MAP_TYPE, MAP_PRIVATE},
    {SCMP_SYS(mmap), 3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED},
};

/* Advice about memory of the process. It must not make the machine work while the process is halted
 * (MADV_MERGEABLE), nor take shared pages away from others (MADV_REMOVE, MADV_PAGEOUT). */
static const int advice[] = {MADV_NORMAL,        MADV_RANDOM,   MADV_SEQUENTIAL, MADV_WILLNEED,
                             MADV_DONTNEED,      MADV_FREE,     MADV_HUGEPAGE,   MADV_NOHUGEPAGE,
                             MADV_DONTFORK,      MADV_DONTDUMP, MADV_DODUMP,     MADV_POPULATE_READ,
                             MADV_POPULATE_WRITE};

/* Without MPI, files can be opened for reading only. */
static const struct allowance alone[] = {
    {SCMP_SYS(open), 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
};

/* The runtimes of MPI and of devices lock files. */
static const struct allowance of_runtimes[] = {
    {SCMP_SYS(fcntl), 1, EXACTLY, F_SETLK},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_SETLKW},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_GETLK},
    {SCMP_SYS(ioctl), 1, EXACTLY, FIONBIO},
};

/* NVIDIA's driver numbers the requests of its two kinds of files with 'F' in the second byte, and
 * with 0 there. */
static const struct allowance on_device[] = {
    {SCMP_SYS(ioctl), 1, REQUEST_TYPE, 'F' << 8},
    {SCMP_SYS(ioctl), 1, REQUEST_TYPE, 0},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_ADD_SEALS},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_GET_SEALS},
};

/* Signals that a process may send to itself. The C library uses the last two to cancel threads.
 * None of them wakes a halted process. */
static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,
                              SIGBUS,  SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2,
                              SIGPIPE, SIGALRM, SIGTERM, 32,      33};

/* --- the filter ------------------------------------------------------------------------------- */

static int allow_all(scmp_filter_ctx f, const int *calls, size_t n)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[i], 0);
    return rc;
}

static int allow_if(scmp_filter_ctx f, const struct allowance *a, size_t n)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct scmp_arg_cmp c = {a[i].argument, SCMP_CMP_MASKED_EQ, a[i].mask, a[i].value};
        rc = seccomp_rule_add_array(f, SCMP_ACT_ALLOW, a[i].call, 1, &c);
    }
    return rc;
}

/* Allow a call if an argument is one of these small values. Values that differ only in their last
 * bits share a rule: the filter is made at every start, and libseccomp takes some microseconds for
 * each rule. `besides`: another condition, or NULL. */
static int allow_within(scmp_filter_ctx f, int call, struct scmp_arg_cmp arg,
                        const struct scmp_arg_cmp *besides, const struct values *v, unsigned from,
                        unsigned size)
{
    unsigned found = 0;
    for (unsigned i = 0; i < size; i++)
        found += v->has[from + i];
    if (found == 0)
        return 0;
    if (found == size) {
        arg.datum_a = ~(scmp_datum_t)(size - 1);
        arg.datum_b = from;
        const struct scmp_arg_cmp c[] = {arg, besides ? *besides : arg};
        return seccomp_rule_add_array(f, SCMP_ACT_ALLOW, call, besides ? 2 : 1, c);
    }
    const int rc = allow_within(f, call, arg, besides, v, from, size / 2);
    return rc == 0 ? allow_within(f, call, arg, besides, v, from + size / 2, size / 2) : rc;
}

static int allow_values(scmp_filter_ctx f, int call, unsigned argument,
                        const struct scmp_arg_cmp *besides, const struct values *v)
{
    return allow_within(f, call, (struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, 0, 0}, besides,
                        v, 0, VALUES_END);
}

static struct values values_of(const int *value, size_t n)
{
    struct values v = {{false}};
    for (size_t i = 0; i < n; i++)
        v.has[value[i]] = true;
    return v;
}

/* Signals to the process itself. Handlers for all signals but SIGSEGV and SIGBUS, by which the
 * driver reports faults. */
static int allow_signals(scmp_filter_ctx f)
{
    const struct scmp_arg_cmp self = SCMP_A0(SCMP_CMP_EQ, (uint64_t)getpid());
    const struct values sent = values_of(signals, LENGTH(signals));
    struct values handled = {{false}};
    for (int signo = 1; signo < NSIG; signo++)
        handled.has[signo] = signo != SIGSEGV && signo != SIGBUS;
    int rc = allow_values(f, SCMP_SYS(kill), 1, &self, &sent);
    if (rc == 0)
        rc = allow_values(f, SCMP_SYS(tgkill), 2, &self, &sent);
    return rc == 0 ? allow_values(f, SCMP_SYS(rt_sigaction), 0, NULL, &handled) : rc;
}

static int allow_tcp(scmp_filter_ctx f)
{
    static const int families[] = {AF_INET, AF_INET6};
    int rc = 0;
    for (size_t i = 0; i < LENGTH(families) && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
                              SCMP_A0(SCMP_CMP_EQ, (uint64_t)families[i]),
                              SCMP_A1(SCMP_CMP_MASKED_EQ, SOCKET_TYPE, SOCK_STREAM));
    return rc;
}

/* MPI copies large messages directly between the memories of ranks. mpirun is not a peer: it has no
 * filter. */
static int allow_peers(scmp_filter_ctx f, const struct filter_peers *peers)
{
    int rc = 0;
    for (int i = 0; i < peers->count && rc == 0; i++) {
        const uint64_t pid = (uint64_t)peers->pid[i];
        const struct allowance copying[] = {{SCMP_SYS(process_vm_readv), 0, EXACTLY, pid},
                                            {SCMP_SYS(process_vm_writev), 0, EXACTLY, pid}};
        rc = allow_if(f, copying, LENGTH(copying));
    }
    return rc;
}

/* A filter cannot see arguments in memory. If these calls seem not to exist, the C library uses
 * older ones, whose arguments are not in memory. */
static int hide(scmp_filter_ctx f)
{
    int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return rc == 0 ? seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) : rc;
}

/* Let a call seem to succeed, without making it. Threads with attributes of their own make such
 * calls, even if these change nothing, and cannot be created where the calls fail. */
static int pretend(scmp_filter_ctx f, int call)
{
    return seccomp_rule_add(f, SCMP_ACT_ERRNO(0), call, 0);
}

/* All threads have the ordinary policy, which has one priority only. Other policies are refused. */
static int pretend_to_schedule(scmp_filter_ctx f)
{
    int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(0), SCMP_SYS(sched_setscheduler), 1,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, SCHED_OTHER));
    return rc == 0 ? pretend(f, SCMP_SYS(sched_setparam)) : rc;
}

static int rules_of_ranks(scmp_filter_ctx f, const struct filter_peers *peers)
{
    int rc = allow_all(f, of_mpi, LENGTH(of_mpi));
    if (rc == 0)
        rc = allow_if(f, of_runtimes, LENGTH(of_runtimes));
    if (rc == 0 &&
        !peers->elsewhere) /* on one node, there is nothing but the ranks to connect to */
        rc = allow_tcp(f);
    return rc == 0 ? allow_peers(f, peers) : rc;
}

static int rules_of_host(scmp_filter_ctx f, const struct filter_peers *peers)
{
    int rc = allow_if(f, on_host, LENGTH(on_host));
    /* With one thread there is nothing to bind: it must stay on the core that the proctor chose. */
    const char *threads = getenv("OMP_NUM_THREADS");
    const bool may_bind = threads && strcmp(threads, "1") != 0;
    if (rc == 0 && may_bind)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(sched_setaffinity), 0);
    else if (rc == 0)
        rc = pretend(f, SCMP_SYS(sched_setaffinity));
    if (rc != 0)
        return rc;
    return peers ? rules_of_ranks(f, peers) : allow_if(f, alone, LENGTH(alone));
}

static int rules_of_device(scmp_filter_ctx f)
{
    int rc = allow_all(f, of_device, LENGTH(of_device));
    if (rc == 0)
        rc = allow_if(f, of_runtimes, LENGTH(of_runtimes));
    return rc == 0 ? allow_if(f, on_device, LENGTH(on_device)) : rc;
}

static int rules(scmp_filter_ctx f, enum filter_kind kind, const struct filter_peers *peers)
{
    const struct values advised = values_of(advice, LENGTH(advice));
    int rc = hide(f);
    /* The filter is for all threads. Runtimes have started some by now, and student code could use
     * them through their memory. */
    if (rc == 0)
        rc = seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1);
    if (rc == 0)
        rc = allow_all(f, computing, LENGTH(computing));
    if (rc == 0)
        rc = allow_if(f, always, LENGTH(always));
    if (rc == 0)
        rc = allow_values(f, SCMP_SYS(madvise), 2, NULL, &advised);
    if (rc == 0)
        rc = allow_signals(f);
    if (rc == 0)
        rc = pretend_to_schedule(f);
    if (rc != 0)
        return rc;
    return kind == FILTER_DEVICE ? rules_of_device(f) : rules_of_host(f, peers);
}

bool filter_enter(enum filter_kind kind, const struct filter_peers *peers)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int rc = f ? rules(f, kind, peers) : -ENOMEM;
    if (rc == 0)
        rc = seccomp_load(f);
    if (f)
        seccomp_release(f);
    if (rc != 0)
        fprintf(stderr, "paragrade driver: no system call filter: %s\n", strerror(-rc));
    return rc == 0;
}

#else

bool filter_enter(enum filter_kind kind, const struct filter_peers *peers)
{
    (void)kind;
    (void)peers;
    return false; /* this build has no libseccomp, and `paragrade doctor` says so */
}

#endif
