#include "proctor/session.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "model/protection.h"
#include "proctor/environment.h"
#include "proctor/sandbox.h"
#include "proctor/stop.h"

enum {
    TICK_MS = 25,
    COUNT_EVERY_MS = 250,
    OUTPUT_KEPT = 16384,
    START_LIMIT_MS = 60000,
    GENTLE_MS = 2000,
    FILES_MOST = 64 << 20, /* bytes that MPI may keep in files beside what may be printed */
    HALT_LIMIT_MS = 5000,
    CPU_EXTRA_NS = 1000000, /* for clocks that differ a little */
    SETTLE_NS = 20000,
    HALTED_MOST_NS = 200000, /* clocks differ a little */
    WAKINGS_MOST = 2,
};

static void fail(struct outcome *o, enum outcome_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void fail(struct outcome *o, enum outcome_kind kind, const char *fmt, ...)
{
    va_list ap;
    o->kind = kind;
    va_start(ap, fmt);
    vsnprintf(o->text, sizeof o->text, fmt, ap);
    va_end(ap);
}

/* What a GPU does takes less time than waking a core that has gone to sleep on it. */
#define STAY_AWAKE_NS UINT64_C(20000000)

static bool uses_gpu(const struct session_spec *spec)
{
    return spec->kind == LAUNCH_CUDA || spec->kind == LAUNCH_OPENACC;
}

/* --- starting ------------------------------------------------------------------------------- */

static int listen_on(const char *path, struct outcome *o)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof addr.sun_path) {
        fail(o, OUTCOME_NOT_STARTED, "socket path too long: %s (set TMPDIR to a shorter one)",
             path);
        return -1;
    }
    memcpy(addr.sun_path, path, strlen(path) + 1);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof addr) != 0 || listen(fd, 1) != 0) {
        fail(o, OUTCOME_NOT_STARTED, "cannot listen on %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

/* A word of the launcher with {ranks} and {threads} filled in. */
static char *fill_word(const char *word, struct launch l)
{
    struct strbuf sb = STRBUF_INIT;
    while (*word) {
        if (strncmp(word, "{ranks}", 7) == 0) {
            strbuf_addf(&sb, "%d", l.ranks);
            word += 7;
        } else if (strncmp(word, "{threads}", 9) == 0) {
            strbuf_addf(&sb, "%d", l.threads);
            word += 9;
        } else {
            strbuf_add(&sb, word++, 1);
        }
    }
    return strbuf_detach(&sb);
}

static char **command_line(const struct session_spec *spec)
{
    char **words = proc_argv_split(spec->launcher ? spec->launcher : "");
    size_t n = 0;
    for (; words[n]; n++) {
        char *filled = fill_word(words[n], spec->launch);
        free(words[n]);
        words[n] = filled;
    }
    words = xrealloc_array(words, n + 2, sizeof *words);
    words[n] = xstrdup(spec->driver);
    words[n + 1] = NULL;
    return words;
}

static void set_limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    setrlimit(what, &r);
}

/* Timed code should not lose its core to whatever else runs. Both calls need privileges that a
 * student's or instructor's account lacks; then they do nothing. */
static void ask_for_priority(void)
{
    setpriority(PRIO_PROCESS, 0, -20);
    int fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t ignored = write(fd, "-20", 3);
        (void)ignored;
        close(fd);
    }
}

/* In the child; async-signal-safe calls only. */
static void child(const struct session_spec *spec, const char *program, char **argv, char **env,
                  int out, int sandbox, int fail_fd)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a proctor that is killed leaves nothing running */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, spec->limits->output_bytes + FILES_MOST);
    ask_for_priority();
    if (spec->cpus && !uses_gpu(spec)) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (int i = 0; i < spec->cpu_count; i++)
            CPU_SET((size_t)spec->cpus[i], &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    int null = open("/dev/null", O_RDONLY);
    if (dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0 && chdir(spec->scratch) == 0 &&
        sandbox_enter(sandbox, uses_gpu(spec)) == 0)
        execve(program, argv, env);
    int why = errno;
    ssize_t ignored = write(fail_fd, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

/* The domain of one driver: it reads its library and writes to its own directories. */
static int make_sandbox(const struct session_spec *spec)
{
    char *library_dir = xstrdup(spec->library);
    char *slash = strrchr(library_dir, '/');
    if (slash)
        *slash = '\0';
    const char *readable[] = {library_dir, NULL};
    const char *writable[] = {spec->scratch, spec->shm, NULL};
    struct sandbox_spec box = {.readable = readable,
                               .writable = writable,
                               .network = spec->launcher != NULL,
                               .gpu = uses_gpu(spec)};
    int fd = sandbox_prepare(&box);
    free(library_dir);
    return fd;
}

static int spawn(struct session *s, char **env, struct outcome *o)
{
    int sandbox = make_sandbox(&s->spec);
    s->protections = sandbox_protections(sandbox);
    char **argv = command_line(&s->spec);
    char *program = proc_which(argv[0]);
    int out[2] = {-1, -1}, failed[2] = {-1, -1}, rc = -1, why;
    if (!program) {
        fail(o, OUTCOME_NOT_STARTED, "%s: command not found", argv[0]);
    } else if (pipe2(out, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0) {
        fail(o, OUTCOME_NOT_STARTED, "cannot create a pipe: %s", strerror(errno));
    } else {
        s->pid = fork();
        if (s->pid == 0)
            child(&s->spec, program, argv, env, out[1], sandbox, failed[1]);
        close(out[1]);
        close(failed[1]);
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        s->output_fd = out[0];
        if (s->pid < 0)
            fail(o, OUTCOME_NOT_STARTED, "cannot fork: %s", strerror(errno));
        else if (read(failed[0], &why, sizeof why) == (ssize_t)sizeof why)
            fail(o, OUTCOME_NOT_STARTED, "cannot run %s: %s", program, strerror(why));
        else
            rc = 0;
        close(failed[0]);
    }
    if (sandbox >= 0)
        close(sandbox);
    free(program);
    proc_argv_free(argv);
    return rc;
}

/* --- watching ------------------------------------------------------------------------------- */

static bool try_reap(struct session *s)
{
    if (s->reaped || s->pid <= 0)
        return true;
    pid_t got = waitpid(s->pid, &s->wait_status, WNOHANG);
    if (got == s->pid)
        s->reaped = true;
    return s->reaped;
}

static void read_output(struct session *s)
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

static uint64_t private_memory(const struct session *s)
{
    if (!s->ranks.count)
        return observe_private_memory(s->leader ? s->leader : s->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ranks.count; i++)
        sum += observe_private_memory(s->ranks.pid[i]);
    return sum;
}

static int count_processes(const struct session *s)
{
    struct pid_list l;
    int n = observe_threads(s->pid);
    observe_descendants(s->pid, &l);
    for (size_t i = 0; i < l.count; i++)
        n += observe_threads(l.pid[i]);
    pid_list_free(&l);
    return n;
}

/* False with *o filled when a limit is exceeded. */
static bool within_limits(struct session *s, uint64_t now, struct outcome *o)
{
    const struct limits *l = s->spec.limits;
    if (s->output_bytes > l->output_bytes) {
        fail(o, OUTCOME_OUTPUT, "output limit");
        return false;
    }
    uint64_t memory = private_memory(s);
    if (memory > s->peak_memory)
        s->peak_memory = memory;
    if (memory > l->memory_bytes) {
        o->memory = memory;
        fail(o, OUTCOME_MEMORY, "memory limit");
        return false;
    }
    if (now - s->checked_ns < (uint64_t)COUNT_EVERY_MS * 1000000)
        return true;
    s->checked_ns = now;
    /* Outside MPI a filter keeps kernels from writing any file. */
    if (s->spec.launcher && observe_files(s->spec.scratch) > l->output_bytes + FILES_MOST) {
        fail(o, OUTCOME_FILES, "file limit");
        return false;
    }
    if (s->spec.launcher && s->spec.shm && observe_files(s->spec.shm) > l->memory_bytes) {
        o->memory = observe_files(s->spec.shm);
        fail(o, OUTCOME_MEMORY, "shared memory limit");
        return false;
    }
    int allowance = s->spec.launch.ranks * (s->spec.launch.threads + 8) + 16;
    int most = l->processes > allowance ? l->processes : allowance;
    o->processes = count_processes(s);
    if (o->processes > most) {
        fail(o, OUTCOME_PROCESSES, "process limit");
        return false;
    }
    return true;
}

/* The driver is gone: find out how it ended. Under a launcher, wait a little for its report. */
static void record_death(struct session *s, struct outcome *o)
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
static ssize_t await(struct session *s, int fd, union reply *m, uint64_t deadline, uint64_t *when,
                     struct outcome *o)
{
    uint64_t awake_until = uses_gpu(&s->spec) ? clock_mono_ns() + STAY_AWAKE_NS : 0;
    for (;;) {
        struct pollfd p[2] = {{fd, POLLIN, 0}, {s->output_fd, POLLIN, 0}};
        int ready = poll(p, 2, clock_mono_ns() < awake_until ? 0 : TICK_MS);
        uint64_t now = clock_mono_ns();
        if (!ready && now < awake_until && !proctor_stop)
            continue;
        if (when)
            *when = now;
        if (proctor_stop) {
            fail(o, OUTCOME_STOPPED, "the grader was told to stop");
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
            fail(o, OUTCOME_UNIT_TIMEOUT, "unit limit");
            return 0;
        }
        if (now > deadline) {
            fail(o, OUTCOME_CASE_TIMEOUT, "case limit");
            return 0;
        }
    }
}

static void send_message(struct session *s, const void *m, size_t n, const int *fds, unsigned count)
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

/* --- halting -------------------------------------------------------------------------------- */

static void signal_all(const struct session *s, int sig)
{
    if (s->ranks.count)
        for (size_t i = 0; i < s->ranks.count; i++)
            kill(s->ranks.pid[i], sig);
    else
        kill(s->pid, sig);
}

static uint64_t cpu_time(const struct session *s)
{
    if (!s->ranks.count)
        return observe_cpu_ns(s->pid);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ranks.count; i++)
        sum += observe_cpu_ns(s->ranks.pid[i]);
    return sum;
}

/* A thread says that it is stopped a moment before it leaves its core, and what it ran since the
 * last tick is accounted for when it has left: only then is the process's clock right. */
static uint64_t settled_cpu_time(const struct session *s)
{
    uint64_t now = cpu_time(s), before;
    do {
        before = now;
        uint64_t until = clock_mono_ns() + SETTLE_NS;
        while (clock_mono_ns() < until)
            ;
        now = cpu_time(s);
    } while (now != before);
    return now;
}

/* Under a launcher the processes are known when the library is loaded: nothing joins them later. */
static bool strangers(const struct session *s)
{
    struct pid_list l;
    bool found = false;
    if (!s->ranks.count)
        return false;
    observe_descendants(s->pid, &l);
    for (size_t i = 0; i < l.count; i++) {
        bool known = false;
        for (size_t j = 0; j < s->ranks.count; j++)
            known = known || s->ranks.pid[j] == l.pid[i];
        found = found || !known;
    }
    pid_list_free(&l);
    return found;
}

/* One process, and all of its threads. A stop can be cancelled by SIGCONT: again, until it holds.
 */
static bool halt_one(struct session *s, pid_t pid)
{
    uint64_t until = clock_mono_ns() + (uint64_t)HALT_LIMIT_MS * 1000000;
    int status;
    while (!observe_stopped(pid)) {
        if (pid == s->pid && !s->reaped && waitpid(pid, &status, WNOHANG) == pid) {
            s->reaped = true;
            s->wait_status = status;
            return true;
        }
        if (clock_mono_ns() > until)
            return false;
        sched_yield();
        kill(pid, SIGSTOP);
    }
    return true;
}

static void halt(struct session *s)
{
    if (s->halted)
        return;
    signal_all(s, SIGSTOP);
    bool stopped = true;
    if (!s->ranks.count)
        stopped = halt_one(s, s->pid);
    for (size_t i = 0; i < s->ranks.count; i++)
        stopped = halt_one(s, s->ranks.pid[i]) && stopped;
    s->halted = true;
    if (!stopped)
        s->unruly = "it cannot be halted";
    else if (strangers(s))
        s->unruly = "it started processes";
    s->halted_cpu_ns = settled_cpu_time(s);
    s->halted_ns = clock_mono_ns();
}

/* Whatever woke it: had it run meanwhile, it might know the next inputs before the clock starts.
 * Now and then the accounting is late by a tick, to nobody's blame: what works while it should not
 * does so for a good part of the time, and again. */
static void note_waking(struct session *s)
{
    uint64_t now = cpu_time(s), ran = now > s->halted_cpu_ns ? now - s->halted_cpu_ns : 0;
    uint64_t halted = clock_mono_ns() - s->halted_ns;
    if (ran > HALTED_MOST_NS && ran > halted / 4 && ++s->wakings == WAKINGS_MOST && !s->unruly)
        s->unruly = "it ran while it was halted";
}

static void resume(struct session *s)
{
    if (!s->halted)
        return;
    note_waking(s);
    signal_all(s, SIGCONT);
    s->halted = false;
}

/* True with *o filled when halting showed something that no driver does by itself. */
static bool unruly(const struct session *s, struct outcome *o)
{
    if (s->unruly)
        fail(o, OUTCOME_PROTOCOL, "%s", s->unruly);
    return s->unruly;
}

/* remark (may be NULL): receives what came with READY. */
static void expect_ready(struct session *s, uint64_t deadline, enum outcome_kind if_failed,
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
        fail(o, if_failed, "%s", m.status.text);
    else if (m.type != PG_READY || !status)
        fail(o, OUTCOME_PROTOCOL, "an unexpected message (type %u) came instead of READY", m.type);
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
static bool confine(struct session *s, uint64_t deadline, struct outcome *o)
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

static void accept_driver(struct session *s, int listener, const char *token, struct outcome *o)
{
    union reply m;
    uint64_t deadline = after_ms(START_LIMIT_MS);
    if (!await(s, listener, NULL, deadline, NULL, o))
        goto failed;
    s->sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    struct ucred who;
    socklen_t len = sizeof who;
    if (s->sock < 0 || getsockopt(s->sock, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0) {
        fail(o, OUTCOME_NOT_STARTED, "accept: %s", strerror(errno));
        return;
    }
    s->leader = who.pid;
    ssize_t n = await(s, s->sock, &m, deadline, NULL, o);
    if (n == (ssize_t)sizeof m.hello && m.type == PG_HELLO && m.hello.version == PG_VERSION &&
        memcmp(m.hello.token, token, PG_TOKEN) == 0 && confine(s, deadline, o)) {
        struct err lacking = ERR_INIT;
        if (sandbox_check(~0U, s->protections, &lacking) != 0)
            fail(o, OUTCOME_NOT_STARTED, "%s", lacking.text);
        return;
    }
failed:
    /* Student code has not run yet: whatever went wrong is not the student's. */
    if (o->kind == OUTCOME_STOPPED)
        return;
    char said[300];
    snprintf(said, sizeof said, "%s", s->output.s);
    fail(o, OUTCOME_NOT_STARTED, "the driver %s did not start%s%s", s->spec.driver,
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

void session_start(struct session *s, const struct session_spec *spec, uint64_t unit_deadline,
                   struct outcome *o)
{
    *o = (struct outcome){0};
    *s = (struct session){.spec = *spec,
                          .sock = -1,
                          .output_fd = -1,
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
        if (spawn(s, env, o) == 0)
            accept_driver(s, listener, token, o);
        proc_argv_free(env);
        close(listener);
        unlink(path);
    }
    if (o->kind == OUTCOME_OK) {
        if (spec->launcher)
            observe_descendants(s->pid, &s->ranks);
        struct pg_load load = {.type = PG_LOAD};
        snprintf(load.library, sizeof load.library, "%s", spec->library);
        snprintf(load.symbol, sizeof load.symbol, "%s", spec->symbol);
        send_message(s, &load, sizeof load, NULL, 0);
        expect_ready(s, after_ms(spec->limits->case_ms), OUTCOME_LOAD_FAILED, s->device,
                     sizeof s->device, o);
    }
    free(path);
    if (o->kind != OUTCOME_OK)
        session_end(s);
    else
        halt(s);
}

bool session_alive(const struct session *s)
{
    return s->pid > 0;
}

static void kill_tree(pid_t root)
{
    /* While the root lives its descendants can be told; then they become the proctor's. */
    struct pid_list known;
    observe_descendants(root, &known);
    kill(root, SIGKILL);
    for (size_t i = 0; i < known.count; i++)
        kill(known.pid[i], SIGKILL);
    pid_list_free(&known);
    /* New ones may be born while we look: repeat until a look finds none. */
    for (int round = 0; round < 1000; round++) {
        struct pid_list l;
        observe_descendants(root, &l);
        size_t n = l.count;
        for (size_t i = 0; i < n; i++)
            kill(l.pid[i], SIGKILL);
        pid_list_free(&l);
        if (!n)
            return;
        clock_sleep_ms(1);
    }
}

/* mpirun and its ranks have things of their own to clear away: let them, for a moment. */
static void end_gently(struct session *s)
{
    resume(s);
    uint64_t until = after_ms(GENTLE_MS);
    while (!try_reap(s) && clock_mono_ns() < until && !proctor_stop) {
        read_output(s);
        clock_sleep_ms(2);
    }
}

void session_end(struct session *s)
{
    if (s->sock >= 0)
        close(s->sock);
    if (s->pid > 0) {
        if (s->spec.launcher && s->sock >= 0 && s->halted)
            end_gently(s);
        for (size_t i = 0; i < s->ranks.count; i++)
            kill(s->ranks.pid[i], SIGKILL);
        if (!s->reaped) {
            kill_tree(s->pid);
            while (waitpid(s->pid, &s->wait_status, 0) < 0 && errno == EINTR)
                ;
        }
    }
    if (s->output_fd >= 0)
        close(s->output_fd);
    pid_list_free(&s->ranks);
    strbuf_free(&s->output);
    *s = (struct session){
        .sock = -1, .output_fd = -1, .output = STRBUF_INIT, .protections = s->protections};
}

void session_case(struct session *s, const struct arena *a, bool yard, struct outcome *o)
{
    *o = (struct outcome){0};
    int fds[PG_MAX_INPUTS + 1];
    unsigned n = a->layout.inputs;
    for (unsigned i = 0; i < n; i++)
        fds[i] = a->in[i].fd;
    fds[n] = yard ? a->yard_out.fd : a->out.fd;
    resume(s);
    if (unruly(s, o))
        return;
    struct pg_case layout = a->layout;
    layout.memory = s->spec.memory;
    send_message(s, &layout, sizeof layout, fds, n + 1);
    expect_ready(s, after_ms(s->spec.limits->case_ms), OUTCOME_DRIVER_FAILED, NULL, 0, o);
    if (o->kind == OUTCOME_OK)
        halt(s);
}

static void observe_all(const struct session *s, struct wait_times *w)
{
    observe_wait(s->leader, w);
}

bool session_has_device(const struct session *s)
{
    return uses_gpu(&s->spec);
}

bool session_fell_back(const struct session *s)
{
    return session_has_device(s) && strcmp(s->device, PG_HOST_FALLBACK) == 0;
}

void session_describe(struct session *s, struct pg_device *d, struct outcome *o)
{
    union reply m;
    const struct pg_describe ask = {.type = PG_DESCRIBE};
    *o = (struct outcome){0};
    resume(s);
    send_message(s, &ask, sizeof ask, NULL, 0);
    ssize_t n = await(s, s->sock, &m, after_ms(START_LIMIT_MS), NULL, o);
    if (!n)
        return;
    if (n != (ssize_t)sizeof m.device || m.type != PG_DEVICE) {
        fail(o, OUTCOME_DRIVER_FAILED, "the driver %s cannot describe its device", s->spec.driver);
        return;
    }
    *d = m.device;
    d->name[sizeof d->name - 1] = '\0';
    halt(s);
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
static void keep_rank(const struct session *s, struct rank_work *ranks, const struct pg_rank *r)
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
static bool is_row(const struct session *s, const struct request *q, const union reply *m,
                   ssize_t n)
{
    if (n == (ssize_t)sizeof m->row && m->type == PG_PROFILE_ROW)
        keep_row(q->profile, &m->row);
    else if (n == (ssize_t)sizeof m->rank && m->type == PG_RANK)
        keep_rank(s, q->ranks, &m->rank);
    else
        return false;
    return true;
}

/* Until DONE or ERROR. *end: when it came. */
static void await_done(struct session *s, const struct request *q, uint64_t start, uint64_t *end,
                       struct timing *t, struct outcome *o)
{
    union reply m;
    ssize_t n;
    do
        n = await(s, s->sock, &m, start + (uint64_t)q->limit_ms * 1000000, end, o);
    while (n && is_row(s, q, &m, n));
    if (!n)
        return;
    if (m.type == PG_ERROR && n == (ssize_t)sizeof m.error && session_has_device(s)) {
        o->kind = OUTCOME_DEVICE;
        o->error = m.error;
        o->error.name[sizeof o->error.name - 1] = '\0';
        o->error.text[sizeof o->error.text - 1] = '\0';
        o->error.when[sizeof o->error.when - 1] = '\0';
    } else if (m.type != PG_DONE || n != (ssize_t)sizeof m.done || m.done.sequence != s->sequence) {
        fail(o, OUTCOME_PROTOCOL, "an unexpected message (type %u) came instead of DONE", m.type);
    } else {
        t->device = m.done.device_seconds;
    }
}

/* How many cores it kept busy, or would have if a neighbour had let it: a thread that is ready to
 * run and has no core is at work all the same. Threads of ranks are not looked at one by one. */
static void count_cores(const struct session *s, uint64_t cpu_before, uint64_t awake,
                        const struct wait_times *before, const struct wait_times *after,
                        struct timing *t)
{
    double cpu = (double)(s->halted_cpu_ns - cpu_before) * 1e-9;
    t->cores = t->busiest = (double)NAN;
    if (!s->halted || session_has_device(s) || s->ranks.count || s->halted_cpu_ns <= cpu_before)
        return;
    t->cores = (cpu + (double)wait_increase_sum(before, after) * 1e-9) / ((double)awake * 1e-9);
    t->busiest = fmin((double)ran_increase(before, after) * 1e-9 / cpu, 1);
}

void session_run(struct session *s, const struct request *q, struct timing *t, struct outcome *o)
{
    *o = (struct outcome){0};
    struct pg_go go = {.type = PG_GO,
                       .reps = q->reps,
                       .rounds = q->rounds,
                       .steps = q->steps,
                       .sequence = ++s->sequence};
    struct wait_times before, after;
    observe_all(s, &before);
    const uint64_t cpu_before = cpu_time(s), woken = clock_mono_ns();
    resume(s);
    if (unruly(s, o))
        return;
    uint64_t end = 0, start = clock_mono_ns();
    if (send(s->sock, &go, sizeof go, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        record_death(s, o);
        return;
    }
    await_done(s, q, start, &end, t, o);
    if (o->kind != OUTCOME_OK)
        return;
    if (!q->go_on)
        halt(s);
    /* Affinity is the process's own to change; the time that it took from all cores is not. A
     * device's runtime has threads of its own. */
    const uint64_t workers = (uint64_t)s->spec.launch.ranks * (uint64_t)s->spec.launch.threads;
    const uint64_t awake = clock_mono_ns() - woken;
    const uint64_t most = awake * workers / 10 * 11 + CPU_EXTRA_NS;
    if (s->halted && !session_has_device(s) && !s->unruly &&
        s->halted_cpu_ns > cpu_before + most) /* less: a process is gone */
        s->unruly = "it ran on more cores than it was given";
    if (unruly(s, o))
        return;
    observe_all(s, &after);
    t->seconds = (double)(end - start) * 1e-9;
    t->waited = (double)wait_increase(&before, &after) * 1e-9 / t->seconds;
    count_cores(s, cpu_before, awake, &before, &after, t);
}

static void pin_one(pid_t pid, const cpu_set_t *set)
{
    struct wait_times w; /* its list of threads */
    observe_wait(pid, &w);
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

void session_pin(struct session *s, const int *cpus, int count)
{
    const struct launch l = s->spec.launch;
    if (session_has_device(s))
        return; /* its threads only wait for the device */
    if (!s->ranks.count) {
        if (l.threads == 1)
            pin_slice(s->leader, cpus, count);
        return;
    }
    bool enough = l.ranks * l.threads <= count && (int)s->ranks.count == l.ranks;
    for (size_t i = 0; i < s->ranks.count; i++)
        pin_slice(s->ranks.pid[i], enough ? cpus + i * (size_t)l.threads : cpus,
                  enough ? l.threads : count);
}
