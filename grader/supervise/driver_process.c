#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "model/protection.h"
#include "supervise/cores.h"
#include "supervise/driver_parts.h"
#include "supervise/environment.h"
#include "supervise/sandbox.h"
#include "supervise/stop.h"

enum {
    TICK_MS = 25,
    COUNT_EVERY_MS = 250,
    OUTPUT_KEPT = 16384,
    START_LIMIT_MS = 60000,
    GENTLE_MS = 2000,
    LAUNCHER_NICE = 19,
    ROWS_MOST = 10000,      /* of a profile, or of ranks */
    CPU_EXTRA_NS = 1000000, /* for clocks that differ a little */
};

bool driver_uses_gpu(const struct driver_spec *spec)
{
    return launch_kind_has(spec->kind, KIND_DEVICE);
}

/* What a GPU does takes less time than waking a core that has gone to sleep on it. */
#define STAY_AWAKE_NS UINT64_C(20000000)

/* --- starting ------------------------------------------------------------------------------- */

static int listen_on(const char *path, struct outcome *o)
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

/* --- watching ------------------------------------------------------------------------------- */

static bool try_reap(struct driver_process *s)
{
    if (s->reaped || s->pid <= 0)
        return true;
    pid_t got = waitpid(s->pid, &s->wait_status, WNOHANG);
    if (got == s->pid)
        s->reaped = true;
    return s->reaped;
}

static void read_output(struct driver_process *s)
{
    char buf[65536];
    ssize_t n;
    while ((n = read(s->output_fd, buf, sizeof buf)) > 0) {
        s->output_bytes += (uint64_t)n;
        size_t room = s->output.len < OUTPUT_KEPT ? OUTPUT_KEPT - s->output.len : 0;
        strbuf_add(&s->output, buf, (size_t)n < room ? (size_t)n : room);
        if (s->output_bytes > s->spec.limits->output_bytes)
            return;
    }
}

/* Over all processes that run the student's code. */
static uint64_t of_all(const struct driver_process *s, uint64_t (*procfs)(pid_t pid))
{
    if (!s->ranks.count)
        return procfs(s->leader ? s->leader : s->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ranks.count; i++)
        sum += procfs(s->ranks.pid[i]);
    return sum;
}

static int count_processes(const struct driver_process *s)
{
    struct pid_list l;
    int n = procfs_threads(s->pid);
    procfs_descendants(s->pid, &l);
    for (size_t i = 0; i < l.count; i++)
        n += procfs_threads(l.pid[i]);
    pid_list_free(&l);
    return n;
}

/* False with *o filled when a limit is exceeded. */
static bool within_limits(struct driver_process *s, uint64_t now, struct outcome *o)
{
    const struct limits *l = s->spec.limits;
    if (s->output_bytes > l->output_bytes) {
        outcome_set(o, OUTCOME_OUTPUT, "output limit");
        return false;
    }
    uint64_t memory = of_all(s, procfs_private_memory) + s->page_tables;
    if (memory > s->peak_memory)
        s->peak_memory = memory;
    if (memory > l->memory_bytes) {
        o->memory = memory;
        outcome_set(o, OUTCOME_MEMORY, "memory limit");
        return false;
    }
    if (now - s->checked_ns < (uint64_t)COUNT_EVERY_MS * 1000000)
        return true;
    s->checked_ns = now;
    s->page_tables = of_all(s, procfs_page_tables);
    /* Outside MPI a filter keeps kernels from writing any file. */
    if (s->spec.launcher && procfs_files(s->spec.scratch) > l->output_bytes + DRIVER_FILES_MOST) {
        outcome_set(o, OUTCOME_FILES, "file limit");
        return false;
    }
    if (s->spec.launcher && s->spec.shm && procfs_files(s->spec.shm) > l->memory_bytes) {
        o->memory = procfs_files(s->spec.shm);
        outcome_set(o, OUTCOME_MEMORY, "shared memory limit");
        return false;
    }
    int allowance = s->spec.launch.ranks * (s->spec.launch.threads + 8) + 16;
    int most = l->processes > allowance ? l->processes : allowance;
    o->processes = count_processes(s);
    if (o->processes > most) {
        outcome_set(o, OUTCOME_PROCESSES, "process limit");
        return false;
    }
    return true;
}

/* The driver is gone: find out how it ended. Under a launcher, wait a little for its report. */
static void record_death(struct driver_process *s, struct outcome *o)
{
    uint64_t until = clock_mono_ns() + UINT64_C(3000000000);
    while (!try_reap(s) && clock_mono_ns() < until) {
        read_output(s);
        clock_sleep_ms(1);
    }
    read_output(s);
    o->kind = OUTCOME_DIED;
    o->wait_status = s->reaped ? s->wait_status : 0;
    o->under_launcher = s->spec.launcher != NULL;
}

union reply {
    uint32_t type;
    struct pg_hello hello;
    struct pg_confined confined;
    struct pg_status status;
    struct pg_done done;
    struct pg_fault fault;
    struct pg_error error;
    struct pg_device device;
    struct pg_profile_row row;
    struct pg_rank rank;
};

/* Wait for the next message on fd (the socket, or the listener: then for a connection). Stamps
 * *when as early as possible. Returns the length; 0 with *o filled when there will be none. */
static ssize_t await(struct driver_process *s, int fd, union reply *m, uint64_t deadline,
                     uint64_t *when, struct outcome *o)
{
    uint64_t awake_until = driver_uses_gpu(&s->spec) ? clock_mono_ns() + STAY_AWAKE_NS : 0;
    for (;;) {
        struct pollfd p[2] = {{fd, POLLIN, 0}, {s->output_fd, POLLIN, 0}};
        int ready = poll(p, 2, clock_mono_ns() < awake_until ? 0 : TICK_MS);
        uint64_t now = clock_mono_ns();
        if (!ready && now < awake_until && !proctor_stop)
            continue;
        if (when)
            *when = now;
        if (proctor_stop) {
            outcome_set(o, OUTCOME_STOPPED, "the grader was told to stop");
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
                o->fault = m->fault; /* and on to the limits: there may be no end of these */
            } else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                record_death(s, o);
                return 0;
            }
        }
        if (ready > 0 && p[1].revents & POLLIN)
            read_output(s);
        else if (ready > 0 && p[1].revents && !m && try_reap(s)) {
            record_death(s, o);
            return 0;
        } else if (ready > 0 && p[1].revents)
            clock_sleep_ms(1); /* stdout was closed: only the socket is left to watch */
        if (!within_limits(s, now, o))
            return 0;
        if (s->unit_deadline && now > s->unit_deadline) {
            outcome_set(o, OUTCOME_UNIT_TIMEOUT, "unit limit");
            return 0;
        }
        if (now > deadline) {
            outcome_set(o, OUTCOME_CASE_TIMEOUT, "case limit");
            return 0;
        }
    }
}

static void send_message(struct driver_process *s, const void *m, size_t n, const int *fds,
                         unsigned count)
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
    /* A dead driver is noticed by the wait that follows. */
    sendmsg(s->sock, &h, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* remark (may be NULL): receives what came with READY. */
static void expect_ready(struct driver_process *s, uint64_t deadline, enum outcome_kind if_failed,
                         char *remark, size_t cap, struct outcome *o)
{
    union reply m;
    ssize_t n = await(s, s->sock, &m, deadline, NULL, o);
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

/* --- interface ------------------------------------------------------------------------------ */

static uint64_t after_ms(int64_t ms)
{
    return clock_mono_ns() + (uint64_t)ms * 1000000;
}

/* The driver gives up system calls; what it says of that is believed, since it has not loaded the
 * library yet. False when it said nothing. */
static bool confine(struct driver_process *s, uint64_t deadline, struct outcome *o)
{
    const struct pg_confine ask = {.type = PG_CONFINE};
    union reply m;
    send_message(s, &ask, sizeof ask, NULL, 0);
    ssize_t n = await(s, s->sock, &m, deadline, NULL, o);
    if (n != (ssize_t)sizeof m.confined || m.type != PG_CONFINED)
        return false;
    if (m.confined.filtered)
        s->protections |= PROTECTION_BIT(PROTECTION_SECCOMP);
    return true;
}

static void accept_driver(struct driver_process *s, int listener, const char *token,
                          struct outcome *o)
{
    union reply m;
    uint64_t deadline = after_ms(START_LIMIT_MS);
    if (!await(s, listener, NULL, deadline, NULL, o))
        goto failed;
    s->sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    struct ucred who;
    socklen_t len = sizeof who;
    if (s->sock < 0 || getsockopt(s->sock, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "accept: %s", strerror(errno));
        return;
    }
    s->leader = who.pid;
    ssize_t n = await(s, s->sock, &m, deadline, NULL, o);
    if (n == (ssize_t)sizeof m.hello && m.type == PG_HELLO && m.hello.version == PG_VERSION &&
        memcmp(m.hello.token, token, PG_TOKEN) == 0 && confine(s, deadline, o)) {
        struct err lacking = ERR_INIT;
        if (sandbox_check(s->spec.sandbox, ~0U, s->protections, &lacking) != 0)
            outcome_set(o, OUTCOME_NOT_STARTED, "%s", lacking.text);
        return;
    }
failed:
    /* Student code has not run yet: whatever went wrong is not the student's - but for the time
     * that the drivers before this one used up. */
    if (o->kind == OUTCOME_STOPPED || o->kind == OUTCOME_UNIT_TIMEOUT)
        return;
    char said[300];
    snprintf(said, sizeof said, "%s", s->output.s);
    outcome_set(o, OUTCOME_NOT_STARTED, "the driver %s did not start%s%s", s->spec.program,
                said[0] ? ": " : "", said);
}

static void make_token(char out[PG_TOKEN + 1])
{
    unsigned char raw[PG_TOKEN / 2];
    if (getrandom(raw, sizeof raw, 0) != (ssize_t)sizeof raw)
        memset(raw, 0x5a, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(out + 2 * i, 3, "%02x", raw[i]);
}

/* The launcher is told whenever a rank stands still or goes on, and would take its core for some
 * milliseconds: to the ranks themselves it is of no use then. */
static void yield_to_ranks(pid_t launcher)
{
    struct wait_times w; /* its list of threads */
    procfs_wait(launcher, &w);
    for (size_t i = 0; i < w.count; i++)
        setpriority(PRIO_PROCESS, (id_t)w.tid[i], LAUNCHER_NICE);
}

void driver_start(struct driver_process *s, const struct driver_spec *spec, uint64_t unit_deadline,
                  struct outcome *o)
{
    *o = (struct outcome){0};
    *s = (struct driver_process){.spec = *spec,
                                 .sock = -1,
                                 .output_fd = -1,
                                 .core = -1,
                                 .last_core = -1,
                                 .output = STRBUF_INIT,
                                 .unit_deadline = unit_deadline};
    s->checked_ns = clock_mono_ns();
    static unsigned serial;
    char *path = xasprintf("%s/s%u", spec->scratch, serial++);
    char token[PG_TOKEN + 1];
    make_token(token);
    int listener = listen_on(path, o);
    if (listener >= 0) {
        struct environment spec_env = {.scratch = spec->scratch,
                                       .shm = spec->shm,
                                       .socket = path,
                                       .token = token,
                                       .launch = spec->launch,
                                       .cores = spec->cpu_count};
        char **env = environment_make(&spec_env);
        if (driver_spawn(s, env, o) == 0)
            accept_driver(s, listener, token, o);
        proc_argv_free(env);
        close(listener);
        unlink(path);
    }
    if (o->kind == OUTCOME_OK) {
        if (spec->launcher) {
            procfs_descendants(s->pid, &s->ranks);
            yield_to_ranks(s->pid);
        }
        struct pg_load load = {.type = PG_LOAD};
        snprintf(load.library, sizeof load.library, "%s", spec->library);
        launch_function(spec->kind, spec->function, load.symbol);
        send_message(s, &load, sizeof load, NULL, 0);
        expect_ready(s, after_ms(spec->limits->case_ms), OUTCOME_LOAD_FAILED, s->device,
                     sizeof s->device, o);
    }
    free(path);
    if (o->kind != OUTCOME_OK)
        driver_end(s);
    else
        driver_halt(s);
}

bool driver_alive(const struct driver_process *s)
{
    return s->pid > 0;
}

/* mpirun and its ranks have things of their own to clear away: let them, for a moment. */
static void end_gently(struct driver_process *s)
{
    driver_resume(s);
    uint64_t until = after_ms(GENTLE_MS);
    while (!try_reap(s) && clock_mono_ns() < until && !proctor_stop) {
        read_output(s);
        clock_sleep_ms(2);
    }
}

void driver_end(struct driver_process *s)
{
    if (s->sock >= 0)
        close(s->sock);
    if (s->pid > 0) {
        if (s->spec.launcher && s->sock >= 0 && s->halted)
            end_gently(s);
        for (size_t i = 0; i < s->ranks.count; i++)
            kill(s->ranks.pid[i], SIGKILL);
        if (!s->reaped) {
            driver_kill_tree(s->pid);
            while (waitpid(s->pid, &s->wait_status, 0) < 0 && errno == EINTR)
                ;
        }
    }
    if (s->output_fd >= 0)
        close(s->output_fd);
    pid_list_free(&s->ranks);
    strbuf_free(&s->output);
    *s = (struct driver_process){.sock = -1,
                                 .output_fd = -1,
                                 .core = -1,
                                 .last_core = -1,
                                 .output = STRBUF_INIT,
                                 .protections = s->protections};
}

void driver_case(struct driver_process *s, const struct arena *a, bool yard, struct outcome *o)
{
    *o = (struct outcome){0};
    int fds[PG_MAX_INPUTS + 1];
    unsigned n = a->layout.inputs;
    for (unsigned i = 0; i < n; i++)
        fds[i] = a->in[i].fd;
    fds[n] = yard ? a->yard_out.fd : a->out.fd;
    driver_resume(s);
    if (driver_unruly(s, o))
        return;
    struct pg_case layout = a->layout;
    layout.memory = s->spec.memory;
    send_message(s, &layout, sizeof layout, fds, n + 1);
    expect_ready(s, after_ms(s->spec.limits->case_ms), OUTCOME_DRIVER_FAILED, NULL, 0, o);
    if (o->kind == OUTCOME_OK)
        driver_halt(s);
}

static void procfs_all(const struct driver_process *s, struct wait_times *w)
{
    procfs_wait(s->leader, w);
}

bool driver_has_device(const struct driver_process *s)
{
    return driver_uses_gpu(&s->spec);
}

bool driver_has_mirror(const struct driver_process *s)
{
    return driver_has_device(s) && !driver_fell_back(s);
}

bool driver_masks(const struct driver_process *s)
{
    return launch_kind_has(s->spec.kind, KIND_DEVICE_POINTERS) &&
           s->spec.memory == PG_MEMORY_DEVICE;
}

bool driver_fell_back(const struct driver_process *s)
{
    return driver_has_device(s) && strcmp(s->device, PG_HOST_FALLBACK) == 0;
}

void driver_describe(struct driver_process *s, struct pg_device *d, struct outcome *o)
{
    union reply m;
    const struct pg_describe ask = {.type = PG_DESCRIBE};
    *o = (struct outcome){0};
    driver_resume(s);
    send_message(s, &ask, sizeof ask, NULL, 0);
    ssize_t n = await(s, s->sock, &m, after_ms(START_LIMIT_MS), NULL, o);
    if (!n)
        return;
    if (n != (ssize_t)sizeof m.device || m.type != PG_DEVICE) {
        outcome_set(o, OUTCOME_DRIVER_FAILED, "the driver %s cannot describe its device",
                    s->spec.program);
        return;
    }
    *d = m.device;
    d->name[sizeof d->name - 1] = '\0';
    driver_halt(s);
}

static unsigned at_most_int(uint64_t v)
{
    return v < INT32_MAX ? (unsigned)v : INT32_MAX;
}

/* Rows come from the student's process: what makes no sense is not kept. */
static void keep_row(struct device_profile *p, const struct pg_profile_row *r)
{
    if (!p || p->count == PROFILE_MOST || r->calls < 1 || r->calls > INT32_MAX ||
        r->grid_blocks > INT64_MAX || !(r->occupancy >= 0 && r->occupancy <= 1))
        return;
    p->row = xrealloc_array(p->row, p->count + 1, sizeof *p->row);
    struct profile_row *to = &p->row[p->count++];
    *to = (struct profile_row){.activity = r->activity == PG_KERNEL ? ACTIVITY_KERNEL
                                           : r->activity == PG_COPY ? ACTIVITY_COPY
                                                                    : ACTIVITY_API,
                               .calls = r->calls,
                               .seconds = (double)r->total_ns * 1e-9,
                               .registers = at_most_int(r->registers),
                               .shared_bytes = at_most_int(r->shared_bytes),
                               .block_threads = at_most_int(r->block_threads),
                               .grid_blocks = r->grid_blocks,
                               .occupancy = r->occupancy};
    snprintf(to->name, sizeof to->name, "%.*s", (int)sizeof r->name - 1, r->name);
}

/* What ranks tell of themselves comes from the student's processes as well. */
static void keep_rank(const struct driver_process *s, struct rank_work *ranks,
                      const struct pg_rank *r)
{
    if (!ranks || r->rank < 0 || r->rank >= s->spec.launch.ranks || !(r->mpi_seconds >= 0) ||
        !(r->kernel_seconds >= 0) || !isfinite(r->kernel_seconds) || r->bytes > INT64_MAX)
        return;
    double compute = r->kernel_seconds - r->mpi_seconds;
    ranks[r->rank] = (struct rank_work){.compute_seconds = compute > 0 ? compute : 0,
                                        .mpi_seconds = r->mpi_seconds,
                                        .bytes = r->bytes,
                                        .shared = r->shared != 0};
}

/* True for a row that comes before DONE; it is kept where it was asked for. */
static bool is_row(const struct driver_process *s, const struct request *q, const union reply *m,
                   ssize_t n)
{
    if (n == (ssize_t)sizeof m->row && m->type == PG_PROFILE_ROW && q->steps & PG_PROFILE)
        keep_row(q->profile, &m->row);
    else if (n == (ssize_t)sizeof m->rank && m->type == PG_RANK && q->steps & PG_RANKS)
        keep_rank(s, q->ranks, &m->rank);
    else
        return false;
    return true;
}

static bool is_answer(const struct driver_process *s, const union reply *m, ssize_t n,
                      uint32_t type)
{
    return n == (ssize_t)sizeof m->done && m->type == type && m->done.sequence == s->sequence;
}

/* Until DONE or ERROR. *computed, *end: when it said so. A driver that does not say that it has
 * computed, or says it too early, wins nothing: what it does afterwards is timed as well. */
static void await_done(struct driver_process *s, const struct request *q, uint64_t start,
                       uint64_t *computed, uint64_t *end, struct timing *t, struct outcome *o)
{
    union reply m;
    ssize_t n;
    bool goes_on;
    int rows = 0;
    *computed = 0;
    do {
        n = await(s, s->sock, &m, start + (uint64_t)q->limit_ms * 1000000, end, o);
        goes_on = n && !*computed && q->steps & PG_DOWNLOAD && is_answer(s, &m, n, PG_COMPUTED);
        if (goes_on)
            *computed = *end;
    } while (n && (goes_on || (rows++ < ROWS_MOST && is_row(s, q, &m, n))));
    if (!n)
        return;
    if (m.type == PG_ERROR && n == (ssize_t)sizeof m.error && driver_has_device(s)) {
        o->kind = OUTCOME_DEVICE;
        o->error = m.error;
        o->error.name[sizeof o->error.name - 1] = '\0';
        o->error.text[sizeof o->error.text - 1] = '\0';
        o->error.when[sizeof o->error.when - 1] = '\0';
    } else if (!is_answer(s, &m, n, PG_DONE)) {
        outcome_set(o, OUTCOME_PROTOCOL, "an unexpected message (type %u) came instead of DONE",
                    m.type);
    } else {
        t->device = m.done.device_seconds;
        t->unmask = m.done.unmask_seconds;
    }
    if (!*computed)
        *computed = *end;
}

/* How many cores it kept busy, or would have if a neighbour had let it: a thread that is ready to
 * run and has no core is at work all the same. Threads of ranks are not looked at one by one. */
static void count_cores(const struct driver_process *s, uint64_t cpu_before, uint64_t awake,
                        const struct wait_times *before, const struct wait_times *after,
                        struct timing *t)
{
    double cpu = (double)(s->halted_cpu_ns - cpu_before) * 1e-9;
    t->cores = t->busiest = (double)NAN;
    if (!s->halted || driver_has_device(s) || s->ranks.count || s->halted_cpu_ns <= cpu_before)
        return;
    t->cores = (cpu + (double)wait_increase_sum(before, after) * 1e-9) / ((double)awake * 1e-9);
    t->busiest = fmin((double)ran_increase(before, after) * 1e-9 / cpu, 1);
}

/* Processor time that is not on the clock, as the time that it could have saved: all threads
 * together cannot save more than the time that has passed. (That of a thread that runs is known up
 * to the last tick only, so it may seem to be more.) */
static uint64_t off_the_clock(uint64_t cpu_from, uint64_t cpu_to, uint64_t from, uint64_t to)
{
    uint64_t cpu = cpu_to > cpu_from ? cpu_to - cpu_from : 0, passed = to > from ? to - from : 0;
    return cpu < passed ? cpu : passed;
}

void driver_run(struct driver_process *s, const struct request *q, struct timing *t,
                struct outcome *o)
{
    *o = (struct outcome){0};
    struct pg_go go = {.type = PG_GO,
                       .reps = q->reps,
                       .rounds = q->rounds,
                       .steps = q->steps,
                       .sequence = ++s->sequence,
                       .key = q->key};
    struct wait_times before, after;
    procfs_all(s, &before);
    const bool was_halted = s->halted;
    const uint64_t cpu_before = driver_cpu_ns(s);
    /* Out of the way of the first rank that goes on: the others are told after it. */
    cores_step_aside(s->last_core);
    /* The clock runs before the driver can: threads of the student's that were busy when they were
     * halted are so again as soon as they may go on. */
    uint64_t end = 0, computed = 0, start = clock_mono_ns(), charged = 0;
    if (was_halted)
        charged = off_the_clock(s->halted_cpu_ns, cpu_before, s->halted_ns, start);
    bool sent = send(s->sock, &go, sizeof go, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    driver_resume(s);
    cores_roam();
    if (driver_unruly(s, o)) {
        cores_back();
        return;
    }
    if (!sent) {
        cores_back();
        record_death(s, o);
        return;
    }
    await_done(s, q, start, &computed, &end, t, o);
    if (o->kind == OUTCOME_OK && !q->go_on) {
        const uint64_t cpu_done = driver_cpu_ns(s);
        if (!driver_has_device(s))
            computed = end = clock_mono_ns(); /* nothing is between what is timed and charged */
        driver_halt(s);                       /* before anything else wants that core */
        charged += off_the_clock(cpu_done, s->halted_cpu_ns, end, s->still_ns);
    }
    cores_back();
    if (o->kind != OUTCOME_OK)
        return;
    read_output(s); /* of a quick kernel, nobody may have waited for it so far */
    /* Affinity is the process's own to change; the time that it took from all cores is not. A
     * device's runtime has threads of its own. */
    const uint64_t workers = (uint64_t)s->spec.launch.ranks * (uint64_t)s->spec.launch.threads;
    const uint64_t awake = (s->halted ? s->still_ns : clock_mono_ns()) - start;
    const uint64_t most = awake * workers / 10 * 11 + CPU_EXTRA_NS;
    if (s->halted && !driver_has_device(s) && !s->unruly &&
        s->halted_cpu_ns > cpu_before + most) /* less: a process is gone */
        s->unruly = "it ran on more cores than it was given";
    if (driver_unruly(s, o))
        return;
    procfs_all(s, &after);
    t->seconds = (double)(computed - start + charged) * 1e-9;
    t->copied = (double)(end - computed) * 1e-9;
    t->waited = (double)wait_increase(&before, &after) * 1e-9 / t->seconds;
    count_cores(s, cpu_before, awake, &before, &after, t);
}

static void pin_one(pid_t pid, const cpu_set_t *set)
{
    struct wait_times w; /* its list of threads */
    procfs_wait(pid, &w);
    for (size_t i = 0; i < w.count; i++)
        sched_setaffinity(w.tid[i], sizeof *set, set);
}

static void pin_slice(pid_t pid, const int *cpus, int count)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET((size_t)cpus[i], &set);
    pin_one(pid, &set);
}

void driver_pin(struct driver_process *s, const int *cpus, int count)
{
    const struct launch l = s->spec.launch;
    if (driver_has_device(s))
        return; /* its threads only wait for the device */
    s->core = cpus[0];
    s->last_core = -1;
    if (!s->ranks.count) {
        if (l.threads == 1)
            pin_slice(s->leader, cpus, count);
        return;
    }
    bool enough = l.ranks * l.threads <= count && (int)s->ranks.count == l.ranks;
    if (enough && l.ranks > 1)
        s->last_core = cpus[l.ranks * l.threads - 1];
    for (size_t i = 0; i < s->ranks.count; i++)
        pin_slice(s->ranks.pid[i], enough ? cpus + i * (size_t)l.threads : cpus,
                  enough ? l.threads : count);
}
