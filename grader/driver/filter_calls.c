/* Which system calls a driver may make, and with which arguments. */
#include "driver/filter_calls.h"

#if __has_include(<seccomp.h>)
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* Some versions of libseccomp and of the headers lack these. They are the same on every
 * architecture.
 */
enum { NR_FUTEX_WAITV = 449, NAME_MEMORY = 0x53564d41 /* PR_SET_VMA */, CLOSE_UNSHARE = 2 };

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define EXACTLY FILTER_EXACTLY
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

/* Open MPI: events by libevent, segments of shared memory in files (the Landlock domain says
 * where), and sockets that are there. */
static const int of_mpi[] = {
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),   SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_wait),
    SCMP_SYS(eventfd2),      SCMP_SYS(fallocate),   SCMP_SYS(flock),       SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),     SCMP_SYS(getpeername), SCMP_SYS(getsockname), SCMP_SYS(getsockopt),
    SCMP_SYS(membarrier),    SCMP_SYS(mkdir),       SCMP_SYS(mkdirat),     SCMP_SYS(open),
    SCMP_SYS(openat),        SCMP_SYS(pipe2),       SCMP_SYS(pwrite64),    SCMP_SYS(rename),
    SCMP_SYS(rmdir),         SCMP_SYS(setsockopt),  SCMP_SYS(shutdown),    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
};

/* New connections, if an installation makes it use TCP on one node. */
static const int of_network[] = {SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(bind),
                                 SCMP_SYS(connect), SCMP_SYS(listen)};

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
    SCMP_SYS(socketpair),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
};

/* --- calls that are allowed with some arguments ------------------------------------------------
 */

/* Threads are allowed, processes are not. A creator that waits for its thread (vfork) is not
 * allowed either, because it might not be possible to halt it. */
static const struct allowance always[] = {
    {SCMP_SYS(clone), 0,
     ~(uint64_t)(CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID),
     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD},
    {SCMP_SYS(prlimit64), 0, EXACTLY, 0},         /* not limits of other processes */
    {SCMP_SYS(close_range), 2, CLOSE_UNSHARE, 0}, /* not further tables of descriptors */
    {SCMP_SYS(sendto), 3, MSG_FASTOPEN, 0},       /* which connects */
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

/* The runtimes of MPI and of devices lock files, and pass descriptors on. */
static const struct allowance of_runtimes[] = {
    {SCMP_SYS(sendmsg), 2, MSG_FASTOPEN, 0}, {SCMP_SYS(fcntl), 1, EXACTLY, F_SETLK},
    {SCMP_SYS(fcntl), 1, EXACTLY, F_SETLKW}, {SCMP_SYS(fcntl), 1, EXACTLY, F_GETLK},
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
 * None of them wakes a halted process. Not SIGKILL: see refuse_sigkill() in filter.c. */
static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
                              SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, 32,     33};

/* --- for the filter ----------------------------------------------------------------------------
 */

const struct filter_numbers filter_computing = {computing, LENGTH(computing)};
const struct filter_numbers filter_of_mpi = {of_mpi, LENGTH(of_mpi)};
const struct filter_numbers filter_of_network = {of_network, LENGTH(of_network)};
const struct filter_numbers filter_of_device = {of_device, LENGTH(of_device)};
const struct filter_numbers filter_advice = {advice, LENGTH(advice)};
const struct filter_numbers filter_signals = {signals, LENGTH(signals)};
const struct filter_allowances filter_always = {always, LENGTH(always)};
const struct filter_allowances filter_on_host = {on_host, LENGTH(on_host)};
const struct filter_allowances filter_alone = {alone, LENGTH(alone)};
const struct filter_allowances filter_of_runtimes = {of_runtimes, LENGTH(of_runtimes)};
const struct filter_allowances filter_on_device = {on_device, LENGTH(on_device)};

#endif
