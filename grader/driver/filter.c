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
#include "driver/filter_calls.h"

#if __has_include(<seccomp.h>)
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define SOCKET_TYPE 0xf

/* A set of small values: numbers of signals and the like. */
enum { VALUES_END = 128 };

struct values {
    bool has[VALUES_END];
};

static int allow_all(scmp_filter_ctx f, const struct filter_numbers *calls)
{
    int rc = 0;
    for (size_t i = 0; i < calls->count && rc == 0; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, calls->item[i], 0);
    return rc;
}

static int allow_if(scmp_filter_ctx f, const struct filter_allowances *a)
{
    int rc = 0;
    for (size_t i = 0; i < a->count && rc == 0; i++) {
        const struct allowance *x = &a->item[i];
        struct scmp_arg_cmp c = {x->argument, SCMP_CMP_MASKED_EQ, x->mask, x->value};
        rc = seccomp_rule_add_array(f, SCMP_ACT_ALLOW, x->call, 1, &c);
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

static struct values values_of(const struct filter_numbers *of)
{
    struct values v = {{false}};
    for (size_t i = 0; i < of->count; i++)
        v.has[of->item[i]] = true;
    return v;
}

/* mpirun tells of a rank that SIGKILL has ended by this status. */
enum { STATUS_OF_SIGKILL = 128 + SIGKILL, STATUS_BITS = 8 };

/* Whoever sends itself SIGKILL is ended by SIGSYS, and nobody exits with a status that looks like
 * it: so a SIGKILL that ends a process came from outside. */
static int refuse_sigkill(scmp_filter_ctx f, const struct scmp_arg_cmp *self)
{
    const int ends[] = {SCMP_SYS(exit), SCMP_SYS(exit_group)};
    int rc = seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, SCMP_SYS(kill), 2, *self,
                              SCMP_A1(SCMP_CMP_EQ, SIGKILL));
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, SCMP_SYS(tgkill), 2, *self,
                              SCMP_A2(SCMP_CMP_EQ, SIGKILL));
    for (size_t i = 0; i < LENGTH(ends); i++)
        for (unsigned bit = 0; bit < STATUS_BITS && rc == 0; bit++) /* one that differs */
            rc = seccomp_rule_add(
                f, SCMP_ACT_ALLOW, ends[i], 1,
                SCMP_A0(SCMP_CMP_MASKED_EQ, 1U << bit, ~(unsigned)STATUS_OF_SIGKILL & 1U << bit));
    return rc;
}

/* Signals to the process itself. Handlers for all signals but SIGSEGV and SIGBUS, by which the
 * driver reports faults. */
static int allow_signals(scmp_filter_ctx f)
{
    const struct scmp_arg_cmp self = SCMP_A0(SCMP_CMP_EQ, (uint64_t)getpid());
    const struct values sent = values_of(&filter_signals);
    struct values handled = {{false}};
    for (int signo = 1; signo < NSIG; signo++)
        handled.has[signo] = signo != SIGSEGV && signo != SIGBUS;
    int rc = refuse_sigkill(f, &self);
    if (rc == 0)
        rc = allow_values(f, SCMP_SYS(kill), 1, &self, &sent);
    if (rc == 0)
        rc = allow_values(f, SCMP_SYS(tgkill), 2, &self, &sent);
    return rc == 0 ? allow_values(f, SCMP_SYS(rt_sigaction), 0, NULL, &handled) : rc;
}

/* On one node there is nothing but the ranks to connect to. Over several there is the network of
 * the nodes, and every rank has its connections already. Whoever still comes is not let in. */
static int allow_tcp(scmp_filter_ctx f, bool elsewhere)
{
    static const int families[] = {AF_INET, AF_INET6};
    if (elsewhere) {
        const int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(accept), 0);
        return rc == 0 ? seccomp_rule_add(f, SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(accept4), 0) : rc;
    }
    int rc = allow_all(f, &filter_of_network);
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
        const struct allowance copying[] = {{SCMP_SYS(process_vm_readv), 0, FILTER_EXACTLY, pid},
                                            {SCMP_SYS(process_vm_writev), 0, FILTER_EXACTLY, pid}};
        rc = allow_if(f, &(struct filter_allowances){copying, LENGTH(copying)});
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
    int rc = allow_all(f, &filter_of_mpi);
    if (rc == 0)
        rc = allow_if(f, &filter_of_runtimes);
    if (rc == 0)
        rc = allow_tcp(f, peers->elsewhere);
    return rc == 0 ? allow_peers(f, peers) : rc;
}

static int rules_of_host(scmp_filter_ctx f, const struct filter_peers *peers)
{
    int rc = allow_if(f, &filter_on_host);
    /* With one thread there is nothing to bind: it must stay on the core that the proctor chose. */
    const char *threads = getenv("OMP_NUM_THREADS");
    const bool may_bind = threads && strcmp(threads, "1") != 0;
    if (rc == 0 && may_bind)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(sched_setaffinity), 0);
    else if (rc == 0)
        rc = pretend(f, SCMP_SYS(sched_setaffinity));
    if (rc != 0)
        return rc;
    return peers ? rules_of_ranks(f, peers) : allow_if(f, &filter_alone);
}

static int rules_of_device(scmp_filter_ctx f)
{
    int rc = allow_all(f, &filter_of_device);
    if (rc == 0)
        rc = allow_if(f, &filter_of_runtimes);
    return rc == 0 ? allow_if(f, &filter_on_device) : rc;
}

/* Libraries that connect GPUs (NCCL) ask for the addresses of the node's networks. */
static int rules_of_ranks_and_device(scmp_filter_ctx f, const struct filter_peers *peers)
{
    int rc = rules_of_device(f);
    if (rc == 0)
        rc = rules_of_ranks(f, peers);
    return rc == 0 ? seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
                                      SCMP_A0(SCMP_CMP_EQ, AF_NETLINK),
                                      SCMP_A1(SCMP_CMP_MASKED_EQ, SOCKET_TYPE, SOCK_RAW))
                   : rc;
}

static int rules(scmp_filter_ctx f, enum filter_kind kind, const struct filter_peers *peers)
{
    const struct values advised = values_of(&filter_advice);
    int rc = hide(f);
    /* The filter is for all threads. Runtimes have started some by now, and student code could use
     * them through their memory. */
    if (rc == 0)
        rc = seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1);
    if (rc == 0)
        rc = allow_all(f, &filter_computing);
    if (rc == 0)
        rc = allow_if(f, &filter_always);
    if (rc == 0)
        rc = allow_values(f, SCMP_SYS(madvise), 2, NULL, &advised);
    if (rc == 0)
        rc = allow_signals(f);
    if (rc == 0)
        rc = pretend_to_schedule(f);
    if (rc != 0)
        return rc;
    if (kind == FILTER_MPI_DEVICE)
        return rules_of_ranks_and_device(f, peers);
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
