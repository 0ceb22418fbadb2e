#include "proctor/serve.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/proc.h"
#include "model/protection.h"
#include "proctor/node_context.h"
#include "proctor/serve_cores.h"
#include "rundir/proctor_status.h"
#include "supervise/driver_halt.h"
#include "supervise/driver_limits.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_program.h"
#include "supervise/driver_spawn.h"
#include "supervise/driver_start.h"
#include "supervise/driver_tree.h"
#include "supervise/environment.h"
#include "supervise/exec_gate.h"
#include "supervise/last_words.h"
#include "supervise/node_message.h"
#include "supervise/priority.h"
#include "supervise/stop.h"
#include "supervise/visible_gpu.h"

enum { TICK_MS = 25, MESSAGE_LIMIT_MS = 60000 };

struct server {
    int head; /* the connection */
    struct sandbox_policy policy;
    struct supervisor supervisor;
    struct scratch scratch;
    char *library; /* where it lies here */
    char *driver;  /* the program of the ranks */
    struct serve_cores cores;
    struct node_spawn asked;
    char **command;
    struct driver_process d;
    uint64_t resumed_ns, resumed_cpu_ns;
    struct outcome ended; /* why its processes were ended; OUTCOME_OK: they were not */
};

/* --- one start -------------------------------------------------------------------------------- */

static void end(struct server *s)
{
    priority_set(PRIORITY_USUAL);
    driver_end(&s->d);
    node_context_end_orphans(NULL);
    proc_argv_free(s->command);
    s->command = NULL;
    s->ended = (struct outcome){0};
}

static struct outcome set_library(struct server *s, const struct node_message *m)
{
    struct err e = ERR_INIT;
    struct outcome o = {0};
    OWNED char *dir = xasprintf("%s/library", s->scratch.dir);
    end(s);
    free(s->library);
    s->library = xasprintf("%s/library.so", dir);
    if (fs_mkdirs(dir, &e) != 0 || fs_write_unsynced(s->library, m->bytes, m->size, &e) != 0 ||
        chmod(s->library, 0500) != 0)
        outcome_set(&o, OUTCOME_NOT_STARTED, "cannot keep the library here: %s", e.text);
    return o;
}

/* "exec COMMAND": the launcher's daemon is a child of this proctor, not of a shell. */
static char **shell_command(const char *command)
{
    struct proc_argv v = {0};
    while (*command == ' ')
        command++;
    const bool simple = strncmp(command, "orted", 5) == 0 || *command == '/';
    proc_argv_push(&v, xstrdup("/bin/sh"));
    proc_argv_push(&v, xstrdup("-c"));
    proc_argv_push(&v, xasprintf("%s%s", simple ? "exec " : "", command));
    return v.word;
}

static struct driver_spec spec_of(struct server *s, char *dir, char *shm)
{
    return (struct driver_spec){.kind = s->asked.kind,
                                .launch = s->asked.launch,
                                .program = s->driver,
                                .launcher = "the launcher's daemon",
                                .command = s->command,
                                .own = s->asked.of_grader,
                                .library = s->library,
                                .scratch = dir,
                                .shm = shm,
                                .cpus = s->cores.now.id,
                                .cpu_count = s->cores.now.count,
                                .limits = &s->asked.limits,
                                .sandbox = &s->policy,
                                .fill = s->asked.fill,
                                .supervisor = &s->supervisor};
}

static struct outcome spawn(struct server *s, const struct node_message *m)
{
    struct outcome o = {0};
    static char dir[4096], shm[4096]; /* as long as the driver lives */
    if (m->size <= sizeof s->asked) {
        outcome_set(&o, OUTCOME_NOT_STARTED, "a wrong message");
        return o;
    }
    end(s);
    memcpy(&s->asked, m->bytes, sizeof s->asked);
    serve_cores_choose(&s->cores, launch_workers(launch_on_node(s->asked.launch)));
    free(s->driver);
    s->driver = driver_program(s->asked.kind);
    s->command = shell_command((const char *)m->bytes + sizeof s->asked);
    snprintf(dir, sizeof dir, "%s/driver", s->scratch.dir);
    snprintf(shm, sizeof shm, "%s/driver", s->scratch.shm ? s->scratch.shm : s->scratch.dir);
    fs_remove_tree(dir, NULL);
    fs_remove_tree(shm, NULL);
    fs_mkdirs(dir, NULL);
    fs_mkdirs(shm, NULL);
    s->d = (struct driver_process)DRIVER_PROCESS_INIT;
    s->d.spec = spec_of(s, dir, shm);
    const int gpus = driver_gpus(&s->d.spec), here = visible_gpus_count();
    if (gpus > here) { /* the first node leaves launches out that do not fit there */
        outcome_set(&o, OUTCOME_NOT_STARTED,
                    "it has %d %s, and the launch needs %d on each node; give all nodes of a job "
                    "the same GPUs",
                    here, plural((unsigned)here, "GPU", "GPUs"), gpus);
        return o;
    }
    s->d.checked_ns = clock_mono_ns();
    own_files_make(&s->d.own, dir, driver_files_most(&s->d.spec), s->asked.limits.memory_bytes);
    const struct environment e = {.scratch = s->d.own.home ? s->d.own.home : dir,
                                  .shm = s->d.own.home ? s->d.own.shm : shm,
                                  .launch = s->asked.launch,
                                  .gpus = driver_gpus(&s->d.spec),
                                  .cores = s->cores.now.count,
                                  .fill = s->asked.fill,
                                  .library = s->library};
    struct spawned started;
    OWNED_TEXTS char **env = environment_make(&e);
    priority_set(PRIORITY_TIMED);
    driver_spawn(&s->d.spec, &s->d.own, env, &started, &o);
    s->d.pid = started.pid;
    s->d.output_fd = started.output_fd;
    s->d.gate = started.gate;
    s->d.protections = started.protections;
    return o;
}

/* All ranks have started, have given up system calls, and have no student code yet. */
static void list_ranks(struct server *s, struct node_answer *a, struct outcome *o)
{
    struct err e = ERR_INIT;
    driver_list_ranks(&s->d, o);
    s->d.leader = s->d.ranks.count ? s->d.ranks.pid[0] : s->d.pid; /* none is on a socket here */
    s->d.reaped_faults = driver_reaped_faults(&s->d);
    driver_know_children(&s->supervisor);
    driver_hold_launcher_back(&s->d);
    driver_pin(&s->d, s->cores.now.id, s->cores.now.count);
    s->resumed_ns = clock_mono_ns();
    s->resumed_cpu_ns = driver_cpu_ns(&s->d);
    a->protections = s->d.protections;
    if (o->kind == OUTCOME_OK &&
        sandbox_check(&s->policy, ~PROTECTION_BIT(PROTECTION_SECCOMP), s->d.protections, &e) != 0)
        outcome_set(o, OUTCOME_NOT_STARTED, "%s", e.text);
}

/* Those of a program that fails by itself. */
static bool is_crash(int sig)
{
    return sig == SIGSEGV || sig == SIGABRT || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
}

/* Ranks can send signals only to themselves, so another program ended the launcher's daemon. But
 * they may have sent it a message that makes it crash. Or a shell could not start it. */
static void look_at_daemon(struct server *s, struct node_answer *a, struct outcome *o)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
    char said[300];
    if (s->d.pid > 0 && !s->d.reaped)
        driver_reap(&s->d);
    if (s->d.pid <= 0 || !s->d.reaped)
        return;
    const int code = WIFEXITED(s->d.wait_status) ? WEXITSTATUS(s->d.wait_status) : 0;
    driver_read_output(&s->d);
    one_line(s->d.output.s, said, sizeof said);
    const int sig = WIFSIGNALED(s->d.wait_status) ? WTERMSIG(s->d.wait_status) : 0;
    a->perhaps_code = s->d.ranks.count && is_crash(sig);
    if (sig)
        outcome_set(o, OUTCOME_NOT_STARTED, "the launcher's daemon was killed by signal %d", sig);
    else if (!s->d.ranks.count && (code == NOT_EXECUTABLE || code == NOT_FOUND))
        outcome_set(o, OUTCOME_NOT_STARTED, "the launcher cannot be run there: %s", said);
}

static void halt(struct server *s, struct node_answer *a, struct outcome *o)
{
    driver_halt(&s->d);
    a->cpu_ns = s->d.halted_cpu_ns > s->resumed_cpu_ns ? s->d.halted_cpu_ns - s->resumed_cpu_ns : 0;
    a->awake_ns = s->d.still_ns > s->resumed_ns ? s->d.still_ns - s->resumed_ns : 0;
    driver_violated(&s->d, o);
}

static void resume(struct server *s)
{
    s->resumed_ns = clock_mono_ns();
    s->resumed_cpu_ns = s->d.halted_cpu_ns;
    driver_resume(&s->d);
}

/* --- questions -------------------------------------------------------------------------------- */

static void set_policy(struct server *s, const struct node_message *m)
{
    struct node_policy head;
    if (m->size < sizeof head)
        return;
    memcpy(&head, m->bytes, sizeof head);
    const char *at = (const char *)m->bytes + sizeof head, *last = (const char *)m->bytes + m->size;
    for (uint32_t i = 0; i < head.paths && at < last; i++, at += strlen(at) + 1)
        sandbox_withhold(&s->policy, at);
    s->policy.required = head.required;
    s->policy.node = "";
    sandbox_policy_keep(&s->policy);
}

static bool answer(struct server *s, const struct node_message *m)
{
    struct node_answer a = {0};
    struct outcome o = s->ended;
    if (m->type == NODE_POLICY)
        set_policy(s, m);
    else if (m->type == NODE_LIBRARY)
        o = set_library(s, m);
    else if (m->type == NODE_SPAWN)
        o = spawn(s, m);
    else if (m->type == NODE_END)
        end(s);
    else if (m->type == NODE_LOCK)
        serve_cores_lock(&s->cores, m);
    else if (m->type == NODE_RANKS && o.kind == OUTCOME_OK)
        list_ranks(s, &a, &o);
    else if (m->type == NODE_HALT && o.kind == OUTCOME_OK)
        halt(s, &a, &o);
    else if (m->type == NODE_RESUME)
        resume(s);
    else if (m->type == NODE_STATE && o.kind == OUTCOME_OK)
        look_at_daemon(s, &a, &o);
    if (m->type == NODE_END)
        o = s->ended; /* of nothing any more */
    a.outcome = o.kind;
    a.memory = o.memory;
    a.processes = o.processes;
    a.processes_most = o.processes_most;
    snprintf(a.text, sizeof a.text, "%s", o.text);
    return node_send(s->head, NODE_ANSWER, &a, sizeof a, NULL, 0) == 0;
}

/* --- between them ----------------------------------------------------------------------------- */

/* What exceeds a limit is ended at once; why is told with the next answer. */
static void look_after(struct server *s, bool gate)
{
    uint64_t never = UINT64_MAX;
    struct outcome o = {0};
    if (s->d.pid <= 0)
        return;
    driver_read_output(&s->d);
    if (!s->d.reaped)
        driver_reap(&s->d);
    if (gate && !s->d.ranks.count)
        exec_gate_answer(s->d.gate);
    else if (gate)
        outcome_set(&o, OUTCOME_PROTOCOL, DRIVER_STARTED_PROCESSES);
    if (o.kind == OUTCOME_OK && !s->d.reaped)
        driver_within_limits(&s->d, clock_mono_ns(), &never, &o);
    if (o.kind == OUTCOME_OK)
        return;
    end(s);
    s->ended = o;
}

static void obey(struct server *s)
{
    while (!proctor_stop) {
        struct pollfd p[] = {
            {s->head, POLLIN, 0}, {s->d.output_fd, POLLIN, 0}, {s->d.gate, POLLIN, 0}};
        const int ready = poll(p, 3, TICK_MS);
        if (ready > 0 && p[0].revents) {
            struct node_message m;
            if (node_receive(s->head, &m, clock_deadline_ms(MESSAGE_LIMIT_MS)) != 0)
                return;
            const bool ok = answer(s, &m);
            free(m.bytes);
            if (!ok)
                return;
            continue;
        }
        look_after(s, ready > 0 && p[2].revents & POLLIN);
        if (ready > 0 && p[1].revents & ~POLLIN)
            clock_sleep_ms(1);
    }
}

/* --- the connection --------------------------------------------------------------------------- */

static int connect_to(const char *host, const char *port)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int fd = -1;
    const int why = getaddrinfo(host, port, &hints, &found);
    if (why != 0)
        fprintf(stderr, "paragrade proctor: %s: %s\n", host, gai_strerror(why));
    for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            fprintf(stderr, "paragrade proctor: cannot connect to %s: %s\n", host, strerror(errno));
            close(fd);
            fd = -1;
        }
    }
    if (found)
        freeaddrinfo(found);
    return fd;
}

static int join_head(void)
{
    char host[256], port[16];
    struct node_hello h = {.version = NODE_VERSION};
    _Static_assert(NODE_TOKEN == 32, "the format below has it");
    if (scanf("%255s %15s %32s", host, port, h.token) != 3) {
        fputs("paragrade proctor: --serve: only the proctor of a head node starts this\n", stderr);
        return -1;
    }
    const int fd = connect_to(host, port);
    if (fd < 0)
        return -1;
    node_connection_set(fd);
    if (node_send(fd, NODE_ANSWER, &h, sizeof h, NULL, 0) == 0)
        return fd;
    close(fd);
    return -1;
}

int serve(void)
{
    struct err e = ERR_INIT;
    struct server s = {.head = join_head(), .d = DRIVER_PROCESS_INIT};
    if (s.head < 0)
        return PROCTOR_BAD_USAGE;
    if (scratch_create(&s.scratch, &e) != 0) {
        fprintf(stderr, "paragrade proctor: %s\n", e.text);
        close(s.head);
        return PROCTOR_INFRASTRUCTURE;
    }
    serve_cores_open(&s.cores);
    obey(&s);
    end(&s);
    close(s.head);
    serve_cores_close(&s.cores);
    scratch_remove(&s.scratch);
    supervisor_free(&s.supervisor);
    sandbox_policy_free(&s.policy);
    free(s.library);
    free(s.driver);
    return 0;
}
