#include "supervise/driver_channel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/inherited_limits.h"
#include "base/oom_kills.h"
#include "model/protection.h"
#include "supervise/driver_limits.h"
#include "supervise/exec_gate.h"
#include "supervise/launch_agent.h"
#include "supervise/rank_fault.h"
#include "supervise/stop.h"

enum { TICK_MS = 25, DEATH_LIMIT_MS = 3000, PLACE_LIMIT_MS = 500, LOOK_MS = 1000 };

/* A GPU often finishes in less time than a core needs to wake up. So the proctor polls without
 * sleeping at first, where the time counts. */
#define STAY_AWAKE_NS UINT64_C(20000000)

int driver_listen(const char *path, struct outcome *o)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof addr.sun_path) {
        outcome_set(o, OUTCOME_NOT_STARTED,
                    "socket path too long: %s (set TMPDIR to a shorter one)", path);
        return -1;
    }
    memcpy(addr.sun_path, path, strlen(path) + 1);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof addr) != 0 || listen(fd, 1) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "cannot listen on %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

void driver_send(int sock, const void *m, size_t n, const int *fds, unsigned count)
{
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int) * (PG_MAX_INPUTS + 1))];
    } control = {0};
    struct iovec io = {(void *)(uintptr_t)m, n};
    struct msghdr h = {.msg_iov = &io, .msg_iovlen = 1};
    if (count) {
        h.msg_control = &control;
        h.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *c = CMSG_FIRSTHDR(&h);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(c), fds, sizeof(int) * count);
    }
    sendmsg(sock, &h, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Ranks but the first one tell only of faults. */
static void take_faults_of_ranks(const struct driver_process *d, struct outcome *o)
{
    for (int r = 1; d->spec.spread && r < d->spec.launch.ranks && !o->has_fault; r++) {
        union driver_message m;
        const ssize_t n =
            d->rank_sock[r] < 0 ? 0 : recv(d->rank_sock[r], &m, sizeof m, MSG_DONTWAIT);
        if (n != (ssize_t)sizeof m.fault || m.type != PG_FAULT)
            continue;
        o->has_fault = true;
        o->fault = m.fault;
    }
}

/* What all processes had at most, where the kernel has ended some on this machine, and it was not
 * for too much of their own; else 0. */
static uint64_t node_memory_peak(const struct driver_process *d)
{
    const uint64_t most = d->peak_resident * (uint64_t)d->spec.launch.ranks;
    return d->reaped && most <= (uint64_t)d->spec.limits->memory_bytes && oom_kills() > d->oom_kills
               ? most
               : 0;
}

/* A process cannot send itself SIGKILL (driver/filter.c), and the kernel has sent none on this
 * machine because memory ran out. */
static bool sigkill_is_foreign(const struct driver_process *d)
{
    return d->protections & PROTECTION_BIT(PROTECTION_SECCOMP) &&
           d->oom_kills != OOM_KILLS_UNKNOWN && oom_kills() == d->oom_kills;
}

void driver_record_death(struct driver_process *d, struct outcome *o)
{
    const uint64_t until = clock_deadline_ms(DEATH_LIMIT_MS);
    while (!driver_reap(d) && clock_mono_ns() < until) {
        driver_read_output(d);
        clock_sleep_ms(1);
    }
    driver_read_output(d);
    take_faults_of_ranks(d, o);
    o->kind = OUTCOME_DIED;
    o->wait_status = d->reaped ? d->wait_status : 0;
    o->cpu_limit = inherited_limits_cpu();
    o->cpu_used = d->reaped ? d->cpu_used : 0;
    o->node_memory_peak = node_memory_peak(d);
    o->sigkill_is_foreign = sigkill_is_foreign(d);
    o->threads = d->spec.launch.threads > 1;
    o->several_nodes = d->spec.launch.nodes > 1;
    o->under_launcher = d->spec.launcher != NULL;
    struct pg_fault there;
    if (o->under_launcher && rank_fault_take(&d->output, &there) && !o->has_fault) {
        o->has_fault = o->other_rank = true;
        o->fault = there;
    }
    if (o->under_launcher && o->has_fault)
        rank_fault_forget_launcher(&d->output);
    if (d->spec.launch.nodes > 1) /* a limit there may be the reason */
        other_nodes_ask(d->spec.others, NODE_STATE, o);
}

/* All ranks are known when the library is loaded. Who asks later waits until it is ended. */
static bool pass_gate(struct driver_process *d, struct outcome *o)
{
    if (d->ranks.count)
        outcome_set(o, OUTCOME_PROTOCOL, DRIVER_STARTED_PROCESSES);
    else
        exec_gate_answer(d->gate);
    return !d->ranks.count;
}

/* Where the kernel is that runs for too long: the driver's handler of SIGABRT tells, as after a
 * crash. Its first thread is asked, on the host: ranks and devices have their own ways. */
static void ask_place(const struct driver_process *d, struct outcome *o)
{
    const uint64_t until = clock_deadline_ms(PLACE_LIMIT_MS);
    if (o->kind != OUTCOME_CASE_TIMEOUT || d->spec.launcher || d->computes != ON_CORES ||
        d->leader <= 0 || syscall(SYS_tgkill, d->leader, d->leader, SIGABRT) != 0)
        return;
    while (!o->has_fault && clock_mono_ns() < until) {
        union driver_message m;
        struct pollfd p = {d->sock, POLLIN, 0};
        if (poll(&p, 1, TICK_MS) <= 0)
            continue;
        const ssize_t n = recv(d->sock, &m, sizeof m, MSG_DONTWAIT);
        if (n == 0)
            return;
        if (n == (ssize_t)sizeof m.fault && m.type == PG_FAULT) {
            o->has_fault = true;
            o->fault = m.fault;
        }
    }
}

ssize_t driver_await(struct driver_process *d, int fd, union driver_message *m, uint64_t deadline,
                     uint64_t *when, struct outcome *o)
{
    const uint64_t awake_until =
        when && d->computes != ON_CORES ? clock_mono_ns() + STAY_AWAKE_NS : 0;
    uint64_t look_at = clock_deadline_ms(LOOK_MS);
    for (;;) {
        struct pollfd p[] = {{fd, POLLIN, 0},
                             {d->output_fd, POLLIN, 0},
                             {d->gate, POLLIN, 0},
                             {d->agent, POLLIN, 0}};
        int ready = poll(p, 4, clock_mono_ns() < awake_until ? 0 : TICK_MS);
        uint64_t now = clock_mono_ns();
        if (!ready && now < awake_until && !proctor_stop)
            continue;
        if (when)
            *when = now;
        if (d->spec.supervisor->tick)
            d->spec.supervisor->tick(now);
        if (proctor_stop) {
            outcome_set(o, OUTCOME_STOPPED, "the grader was told to stop");
            return 0;
        }
        if (ready > 0 && p[2].revents & POLLIN && !pass_gate(d, o))
            return 0;
        if (ready > 0 && p[3].revents & POLLIN && !launch_agent_answer(d, o))
            return 0;
        if (!ready && !m && d->agent >= 0 && now > look_at) { /* the launcher waits for a node */
            look_at = clock_deadline_ms(LOOK_MS);
            if (!other_nodes_ask(d->spec.others, NODE_STATE, o))
                return 0;
        }
        if (ready > 0 && p[0].revents) {
            if (!m)
                return 1;
            ssize_t n = recv(fd, m, sizeof *m, MSG_DONTWAIT);
            if (n >= (ssize_t)sizeof m->type) {
                if (m->type != PG_FAULT || n != (ssize_t)sizeof m->fault)
                    return n;
                o->has_fault = true;
                o->fault = m->fault; /* do not skip the limits: there may be endless faults */
            } else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                driver_record_death(d, o);
                return 0;
            }
        }
        if (ready > 0 && p[1].revents & POLLIN)
            driver_read_output(d);
        else if (ready > 0 && p[1].revents && !m && driver_reap(d)) {
            driver_record_death(d, o);
            return 0;
        } else if (ready > 0 && p[1].revents)
            clock_sleep_ms(1); /* the driver closed its output, so poll() does not wait */
        if (!driver_within_limits(d, now, &deadline, o)) {
            ask_place(d, o);
            return 0;
        }
    }
}

void driver_expect_ready(struct driver_process *d, uint64_t deadline, enum outcome_kind if_failed,
                         char *remark, size_t cap, struct outcome *o)
{
    union driver_message m;
    ssize_t n = driver_await(d, d->sock, &m, deadline, NULL, o);
    if (!n)
        return;
    bool status = n == (ssize_t)sizeof m.status;
    if (status)
        m.status.text[sizeof m.status.text - 1] = '\0';
    if (m.type == PG_FAILED && status)
        outcome_set(o, if_failed, "%s", m.status.text);
    else if (m.type != PG_READY || !status)
        outcome_set(o, OUTCOME_PROTOCOL, "an unexpected message (type %u) came instead of READY",
                    m.type);
    else if (remark)
        snprintf(remark, cap, "%.*s", (int)cap - 1, m.status.text);
}
