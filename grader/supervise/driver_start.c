#include "supervise/driver_start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/oom_kills.h"
#include "base/proc.h"
#include "base/random.h"
#include "base/stats.h"
#include "model/protection.h"
#include "supervise/driver_channel.h"
#include "supervise/driver_halt.h"
#include "supervise/driver_limits.h"
#include "supervise/driver_run.h"
#include "supervise/driver_spawn.h"
#include "supervise/driver_tree.h"
#include "supervise/environment.h"
#include "supervise/last_words.h"
#include "supervise/launch_agent.h"
#include "supervise/priority.h"
#include "supervise/reap.h"
#include "supervise/stop.h"

enum {
    START_LIMIT_MS = 30000,
    GENTLE_MS = 2000,
    EMPTY_RUNS = 12,
    LAUNCHER_NICE = 19,
    SOCKET_NAME = 16
};

/* While ranks run, the launcher has a low priority: it wakes up whenever a rank stops or runs
 * again, and would take the core of a rank for some milliseconds. When they end, it gets the
 * priority of the proctor, because it reaps the ranks and removes their files from /proc. A process
 * that opens such a file at that moment spins in the kernel until the launcher is done. If this is
 * the proctor, with a much higher priority on the same core, the launcher does not get the core.
 * This took minutes. (An account without privileges cannot raise a priority again. But its proctor
 * has the usual one, so this takes milliseconds.) */
static void set_launcher_priority(pid_t launcher, int nice)
{
    FREED_BY(pid_list_free) struct pid_list threads = {0};
    procfs_thread_list(launcher, &threads);
    for (size_t i = 0; i < threads.count; i++)
        setpriority(PRIO_PROCESS, (id_t)threads.pid[i], nice);
}

void driver_hold_launcher_back(const struct driver_process *d)
{
    set_launcher_priority(d->pid, LAUNCHER_NICE);
}

/* --- ending ----------------------------------------------------------------------------------- */

/* Let mpirun and its ranks clean up, or a tool finish its report, for a moment. */
static void end_gently(struct driver_process *d)
{
    driver_resume(d);
    const uint64_t until = clock_deadline_ms(GENTLE_MS);
    while (!driver_reap(d) && clock_mono_ns() < until && !proctor_stop) {
        driver_read_output(d);
        clock_sleep_ms(2);
    }
}

/* What the driver has printed can still be read. */
static void end_processes(struct driver_process *d)
{
    if (d->gate >= 0)
        close(d->gate);
    d->gate = -1;
    if (d->sock >= 0)
        close(d->sock);
    for (int i = 0; d->rank_sock && i < d->spec.launch.ranks; i++)
        if (d->rank_sock[i] >= 0)
            close(d->rank_sock[i]);
    free(d->rank_sock);
    d->rank_sock = NULL;
    if (d->pid > 0) {
        if (d->spec.launcher && !d->reaped)
            set_launcher_priority(d->pid, PRIORITY_TIMED);
        if (d->sock >= 0 && (d->spec.tool || (d->spec.launcher && d->halted)))
            end_gently(d);
        for (size_t i = 0; i < d->ranks.count; i++)
            kill(d->ranks.pid[i], SIGKILL);
        if (!d->reaped) {
            driver_kill_tree(d->pid);
            reap_wait(d->pid, &d->wait_status);
        }
    }
    if (d->spec.launch.nodes > 1 && !d->spec.command)
        other_nodes_end(d->spec.others);
    d->sock = -1;
    d->reaped = true;
    d->leader = 0;
    pid_list_free(&d->ranks);
}

void driver_end(struct driver_process *d)
{
    end_processes(d);
    if (d->output_fd >= 0)
        close(d->output_fd);
    strbuf_free(&d->output);
    own_files_free(&d->own);
    const unsigned protections = d->protections;
    *d = (struct driver_process)DRIVER_PROCESS_INIT;
    d->protections = protections;
}

/* --- starting --------------------------------------------------------------------------------- */

/* Random hexadecimal digits, which nobody can predict. */
static void make_token(char out[PG_TOKEN + 1])
{
    unsigned char raw[PG_TOKEN / 2];
    random_bytes(raw, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(out + 2 * i, 3, "%02x", raw[i]);
}

static bool several_nodes(const struct driver_process *d)
{
    return d->spec.launch.nodes > 1 && !d->spec.command;
}

static void spawn(struct driver_process *d, const char *socket, const char *token,
                  struct outcome *o)
{
    const struct driver_spec *spec = &d->spec;
    if (spec->launcher)
        own_files_make(&d->own, spec->scratch, driver_files_most(spec), spec->limits->memory_bytes);
    const struct environment e = {.scratch = d->own.home ? d->own.home : spec->scratch,
                                  .shm = !spec->launcher ? NULL
                                         : d->own.home   ? d->own.shm
                                                         : spec->shm,
                                  .socket = socket,
                                  .token = token,
                                  .launch = spec->launch,
                                  .gpus = driver_gpus(spec),
                                  .spread = spec->spread,
                                  .cores = spec->cpu_count,
                                  .own_threads = spec->own_threads,
                                  .looking = spec->looking != LOOKING_NOT,
                                  .fill = spec->looking == LOOKING_FILLED   ? FILL_OTHERS
                                          : spec->looking == LOOKING_ZEROED ? FILL_ZEROS
                                                                            : spec->fill,
                                  .preload = spec->preload,
                                  .calls = spec->calls,
                                  .late = spec->late == LATE_GIVEN    ? PG_LATE_GIVEN
                                          : spec->late == LATE_OTHERS ? PG_LATE_OTHERS
                                                                      : NULL,
                                  .base = spec->scratch,
                                  .others = several_nodes(d) ? spec->others : NULL};
    struct spawned s;
    OWNED_TEXTS char **env = environment_make(&e);
    if (!launch_agent_open(d, o))
        return;
    driver_spawn(spec, &d->own, env, &s, o);
    d->pid = s.pid;
    d->output_fd = s.output_fd;
    d->gate = s.gate;
    d->protections = s.protections;
}

/* Ask the driver to give up system calls. Its answer is trusted, because no student code is loaded
 * yet. False when there is no answer. */
static bool confine(struct driver_process *d, uint64_t deadline, struct outcome *o)
{
    const struct pg_confine ask = {.type = PG_CONFINE};
    union driver_message m;
    driver_send(d->sock, &ask, sizeof ask, NULL, 0);
    ssize_t n = driver_await(d, d->sock, &m, deadline, NULL, o);
    if (n != (ssize_t)sizeof m.confined || m.type != PG_CONFINED)
        return false;
    for (unsigned i = 0; i < m.confined.ranks && i < PG_RANKS_TOLD; i++) {
        d->rank_pid[i] = m.confined.rank[i].pid;
        d->rank_waits[i] = m.confined.rank[i].waits;
        d->rank_count = i + 1;
    }
    if (m.confined.filtered)
        d->protections |= PROTECTION_BIT(PROTECTION_SECCOMP);
    if (m.confined.filtered && d->computes != ON_CORES) /* it has no network */
        d->protections |= PROTECTION_BIT(PROTECTION_NAMESPACES);
    return true;
}

/* Wait for a connection from the driver's processes, and its hello. The rank that it is from, or
 * -1. */
static int accept_one(struct driver_process *d, int listener, const char *token, uint64_t deadline,
                      int *sock, struct outcome *o)
{
    union driver_message m;
    struct ucred who;
    socklen_t len = sizeof who;
    if (!driver_await(d, listener, NULL, deadline, NULL, o))
        return -1;
    *sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (*sock < 0 || getsockopt(*sock, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "accept: %s", strerror(errno));
        return -1;
    }
    if (!driver_is_below(d, who.pid, o))
        return -1;
    const ssize_t n = driver_await(d, *sock, &m, deadline, NULL, o);
    if (n != (ssize_t)sizeof m.hello || m.type != PG_HELLO || m.hello.version != PG_VERSION ||
        memcmp(m.hello.token, token, PG_TOKEN) != 0)
        return -1;
    if (m.hello.rank == 0)
        d->leader = who.pid;
    return m.hello.rank;
}

/* Accept rank 0, and where each rank gets operands, all others. They come in any order. */
static bool accept_all(struct driver_process *d, int listener, const char *token, uint64_t deadline,
                       struct outcome *o)
{
    const int all = d->spec.launch.ranks, ranks = d->spec.spread ? all : 1;
    d->rank_sock = xcalloc((size_t)all, sizeof *d->rank_sock);
    for (int i = 0; i < all; i++)
        d->rank_sock[i] = -1;
    for (int i = 0; i < ranks; i++) {
        int sock = -1;
        const int rank = accept_one(d, listener, token, deadline, &sock, o);
        int *place = rank == 0 ? &d->sock : &d->rank_sock[rank > 0 && rank < ranks ? rank : 0];
        if (rank < 0 || rank >= ranks || *place >= 0) {
            if (sock >= 0)
                close(sock);
            return false;
        }
        *place = sock;
    }
    return true;
}

/* Wait for the driver's connection and its hello, confine it, and check its protections. */
static void accept_driver(struct driver_process *d, int listener, const char *token,
                          struct outcome *o)
{
    const uint64_t deadline = clock_deadline_ms(START_LIMIT_MS);
    if (accept_all(d, listener, token, deadline, o) && confine(d, deadline, o)) {
        struct err lacking = ERR_INIT;
        if (sandbox_check(d->spec.sandbox, ~0U, d->protections, &lacking) != 0)
            outcome_set(o, OUTCOME_NOT_STARTED, "%s", lacking.text);
        else
            driver_list_ranks(d, o);
        if (o->kind == OUTCOME_OK && several_nodes(d) &&
            other_nodes_ranks(d->spec.others, &d->protections, o) &&
            sandbox_check(d->spec.sandbox, ~0U, d->protections, &lacking) != 0)
            outcome_set(o, OUTCOME_NOT_STARTED, "%s", lacking.text);
        return;
    }
    if (o->kind == OUTCOME_STOPPED || o->kind == OUTCOME_NOT_STARTED || o->elsewhere)
        return;
    /* The launcher ended, or its agent did, before anything was started on another node. */
    o->elsewhere = several_nodes(d) && !other_nodes_asked(d->spec.others, d->spec.launch.nodes);
    /* No student code has run yet, so no failure is the student's fault. */
    char said[400];
    one_line(d->output.s, said, sizeof said);
    outcome_set(o, OUTCOME_NOT_STARTED, "the driver %s did not start%s%s", d->spec.program,
                said[0] ? ": " : "", said);
}

/* Is its empty run timed? A device computes nothing before the library is loaded, so its empty runs
 * are timed elsewhere (measure/run_overhead.h). More workers than cores are not timed. */
static bool has_empty_run(const struct driver_process *d)
{
    const int workers = launch_workers(launch_on_node(d->spec.launch));
    return d->computes == ON_CORES && (workers <= 1 || workers <= d->spec.cpu_count);
}

/* How long a run without any problem takes: threads and ranks are resumed one after the other and
 * wait for each other. No code of the student is loaded yet. Interference makes a run longer, never
 * shorter, so the lower quartile counts. */
static void time_empty_run(struct driver_process *d, struct outcome *o)
{
    const struct request empty = {
        .steps = PG_COMPUTE, .rounds = 1, .limit_ms = d->spec.limits->case_ms};
    double seconds[EMPTY_RUNS];
    for (int i = 0; i < EMPTY_RUNS && o->kind == OUTCOME_OK; i++) {
        struct timing t = {0};
        driver_run(d, &empty, &t, o);
        seconds[i] = t.seconds;
    }
    if (o->kind == OUTCOME_OK)
        d->empty_run = stats_quantile(seconds, EMPTY_RUNS, 0.25);
    d->overruns = 0;
    if (o->kind != OUTCOME_OK && o->kind != OUTCOME_STOPPED && o->kind != OUTCOME_UNIT_TIMEOUT)
        outcome_set(o, OUTCOME_NOT_STARTED,
                    "the driver %s did not answer before it had loaded "
                    "the library",
                    d->spec.program);
}

static bool is_fallback(const char *device)
{
    return strcmp(device, PG_HOST_FALLBACK) == 0;
}

/* A runtime that cannot get its device at the moment computes on the host. Nothing else changes the
 * device by itself. */
static void device_changed(const struct driver_process *d, struct outcome *o)
{
    char text[sizeof o->text];
    snprintf(text, sizeof text, "it reports the device '%s', but an earlier one reported '%s'",
             d->device, d->spec.device);
    if (d->computes != ON_CORES && (is_fallback(d->device) || is_fallback(d->spec.device)))
        outcome_set_device(o, DEVICE_FALLBACK, text, "loading the library");
    else
        outcome_set(o, OUTCOME_PROTOCOL, "%s", text);
}

static void load_library(struct driver_process *d, struct outcome *o)
{
    struct pg_load load = {.type = PG_LOAD};
    if (!d->spec.library)
        return;
    driver_resume(d);
    snprintf(load.library, sizeof load.library, "%s", d->spec.library);
    launch_function(d->spec.kind, d->spec.function, load.symbol);
    driver_send(d->sock, &load, sizeof load, NULL, 0);
    driver_expect_ready(d, clock_deadline_ms(d->spec.limits->case_ms), OUTCOME_LOAD_FAILED,
                        d->device, sizeof d->device, o);
    if (d->computes == ON_DEVICE && is_fallback(d->device))
        d->computes = FELL_BACK;
    if (o->kind == OUTCOME_OK && d->spec.device[0] && strcmp(d->device, d->spec.device) != 0)
        device_changed(d, o);
}

void driver_start(struct driver_process *d, struct driver_spec *spec, uint64_t unit_deadline,
                  struct outcome *o)
{
    char token[PG_TOKEN + 1], name[PG_TOKEN + 1];
    *o = (struct outcome){0};
    *d = (struct driver_process)DRIVER_PROCESS_INIT;
    d->spec = *spec;
    d->computes = launch_kind_has(spec->kind, KIND_DEVICE) ? ON_DEVICE : ON_CORES;
    d->checked_ns = clock_mono_ns();
    d->oom_kills = oom_kills();
    make_token(token);
    make_token(name); /* no number: it would tell which process of the unit this is */
    OWNED char *path = xasprintf("%s/%.*s", spec->scratch, SOCKET_NAME, name);
    if (unit_deadline && d->checked_ns > unit_deadline)
        outcome_set(o, OUTCOME_UNIT_TIMEOUT, "unit limit");
    int listener = o->kind == OUTCOME_OK ? driver_listen(path, o) : -1;
    if (o->kind == OUTCOME_OK)
        spawn(d, path, token, o);
    if (o->kind == OUTCOME_OK)
        accept_driver(d, listener, token, o);
    launch_agent_close(d);
    d->unit_deadline = unit_deadline; /* not before: a start that hangs is not the student's */
    if (listener >= 0) {
        close(listener);
        unlink(path);
    }
    if (o->kind == OUTCOME_OK && spec->launcher) {
        d->reaped_faults = driver_reaped_faults(d);
        driver_hold_launcher_back(d);
    }
    driver_know_children(d->spec.supervisor);
    if (o->kind == OUTCOME_OK && has_empty_run(d))
        time_empty_run(d, o);
    o->code_ran = spec->code_ran && !outcome_is_sigkill(o); /* that code has ended, it sends none */
    if (o->kind == OUTCOME_OK) {
        spec->code_ran = spec->code_ran || (spec->library && !spec->own);
        load_library(d, o);
    }
    if (o->kind == OUTCOME_OK && !spec->device[0])
        memcpy(spec->device, d->device, sizeof spec->device);
    if (o->kind == OUTCOME_OK)
        driver_halt(d);
    else
        end_processes(d);
    if (!driver_alive(d))
        driver_end(d);
}
