/*
 * calls.h - system calls that no kernel of any tier needs: to compute takes memory, threads, their
 * waiting for each other, time, files to read and descriptors to write to. Arguments are harmless
 * and good enough that a call which is not refused works, or fails in another way.
 */
#ifndef CALLS_H
#define CALLS_H

#include "attack.h"
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

struct call {
    const char *name;
    long number, a, b, c, d, e;
};

static int pair[2], anywhere[64];
static unsigned long set[16] = {1}, nothing[32];
static char byte_to_move;
static struct {
    void *base;
    size_t length;
} piece = {&byte_to_move, 1};

/* Not in every header. */
enum {
    NR_PIDFD_OPEN = 434,
    NR_OPEN_TREE = 428,
    NR_FSOPEN = 430,
    NR_IO_URING_SETUP = 425,
    NR_PROCESS_MADVISE = 440,
    NR_LANDLOCK_CREATE_RULESET = 444,
    NR_MEMFD_SECRET = 447,
    NR_PROCESS_MRELEASE = 448,
    NR_LSM_GET_SELF_ATTR = 459,
};

/* Of use to nobody. */
static const struct call needless[] = {
    {"timerfd_create", SYS_timerfd_create, CLOCK_MONOTONIC, 0, 0, 0, 0},
    {"inotify_init1", SYS_inotify_init1, 0, 0, 0, 0, 0},
    {"fanotify_init", SYS_fanotify_init, 0x200 /* FAN_REPORT_FID */, 0, 0, 0, 0},
    {"signalfd4", SYS_signalfd4, -1, (long)set, 8, 0, 0},
    {"io_setup", SYS_io_setup, 1, (long)nothing, 0, 0, 0},
    {"io_uring_setup", NR_IO_URING_SETUP, 1, (long)anywhere, 0, 0, 0},
    {"setitimer", SYS_setitimer, 0, (long)nothing, 0, 0, 0},
    {"alarm", SYS_alarm, 0, 0, 0, 0, 0},
    {"timer_create", SYS_timer_create, CLOCK_MONOTONIC, 0, (long)anywhere, 0, 0},
    {"process_madvise", NR_PROCESS_MADVISE, -1, (long)&piece, 1, MADV_NORMAL, 0},
    {"process_mrelease", NR_PROCESS_MRELEASE, -1, 0, 0, 0, 0},
    {"pidfd_open", NR_PIDFD_OPEN, 1, 0, 0, 0, 0},
    {"landlock_create_ruleset", NR_LANDLOCK_CREATE_RULESET, 0, 0, 1, 0, 0},
    {"seccomp", SYS_seccomp, 2 /* SECCOMP_GET_ACTION_AVAIL */, 0, (long)set, 0, 0},
    {"lsm_get_self_attr", NR_LSM_GET_SELF_ATTR, 100, 0, (long)anywhere, 0, 0},
    {"vmsplice", SYS_vmsplice, -1, (long)&piece, 1, 0, 0},
    {"splice", SYS_splice, -1, 0, -1, 0, 1},
    {"tee", SYS_tee, -1, -1, 1, 0, 0},
    {"perf_event_open", SYS_perf_event_open, (long)nothing, 0, -1, -1, 0},
    {"name_to_handle_at", SYS_name_to_handle_at, AT_FDCWD, (long)"/", (long)anywhere,
     (long)&anywhere[32], 0},
    {"open_by_handle_at", SYS_open_by_handle_at, AT_FDCWD, (long)anywhere, O_RDONLY, 0, 0},
    {"add_key", SYS_add_key, (long)"user", (long)"pg", (long)"x", 1, -1},
    {"request_key", SYS_request_key, (long)"user", (long)"pg", 0, 0, 0},
    {"keyctl", SYS_keyctl, 0, -3, 0, 0, 0},
    {"userfaultfd", SYS_userfaultfd, 1 /* of user mode only */, 0, 0, 0, 0},
    {"msgget", SYS_msgget, 4711, 0, 0, 0, 0},
    {"semget", SYS_semget, 4711, 1, 0, 0, 0},
    {"shmget", SYS_shmget, 4711, 1, 0, 0, 0},
    {"mq_open", SYS_mq_open, (long)"pg", O_RDONLY, 0, 0, 0},
    {"bpf", SYS_bpf, 0, (long)nothing, 8, 0, 0},
    {"kcmp", SYS_kcmp, 1, 1, 0, 0, 0},
    {"unshare", SYS_unshare, 0, 0, 0, 0, 0},
    {"setns", SYS_setns, -1, 0, 0, 0, 0},
    {"open_tree", NR_OPEN_TREE, AT_FDCWD, (long)"/", 0, 0, 0},
    {"fsopen", NR_FSOPEN, (long)"tmpfs", 0, 0, 0, 0},
    {"quotactl", SYS_quotactl, 0, 0, 0, 0, 0},
    {"syslog", SYS_syslog, 10, 0, 0, 0, 0},
    {"personality", SYS_personality, 0xffffffffL, 0, 0, 0, 0},
    {"migrate_pages", SYS_migrate_pages, 1, 0, 0, 0, 0},
    {"sync", SYS_sync, 0, 0, 0, 0, 0},
    {"sched_setscheduler", SYS_sched_setscheduler, 0, SCHED_BATCH, (long)nothing, 0, 0},
    {"PR_SET_CHILD_SUBREAPER", SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0},
    {"PR_SET_PTRACER", SYS_prctl, PR_SET_PTRACER, -1, 0, 0, 0},
    {"memfd_create", SYS_memfd_create, (long)"pg", 0, 0, 0, 0},
    {"memfd_secret", NR_MEMFD_SECRET, 0, 0, 0, 0, 0},
};

/* Of use to MPI. */
static const struct call needless_alone[] = {
    {"socketpair", SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (long)pair, 0},
    {"epoll_create", SYS_epoll_create, 1, 0, 0, 0, 0},
    {"epoll_create1", SYS_epoll_create1, 0, 0, 0, 0, 0},
    {"bind", SYS_bind, -1, (long)nothing, 16, 0, 0},
    {"listen", SYS_listen, -1, 1, 0, 0, 0},
    {"connect", SYS_connect, -1, (long)nothing, 16, 0, 0},
    {"accept", SYS_accept, -1, 0, 0, 0, 0},
    {"process_vm_readv", SYS_process_vm_readv, 1, (long)&piece, 1, (long)&piece, 1},
};

static inline void try_calls(const struct call *c, size_t n)
{
    for (; n; n--, c++) {
        long rc = raw(c->number, c->a, c->b, c->c, c->d, c->e, 0);
        if (rc == -EPERM || rc == -EACCES || rc == -ENOSYS)
            continue;
        HOLE(c->name);
        if (strcmp(c->name, "keyctl") != 0 && strncmp(c->name, "PR_", 3) != 0 && rc > 2)
            close((int)rc);
    }
}

#endif
