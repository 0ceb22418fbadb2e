#include "supervise/driver_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/install.h"
#include "base/namespaces.h"
#include "base/proc.h"
#include "model/protection.h"
#include "supervise/driver_limits.h"
#include "supervise/exec_gate.h"
#include "supervise/hidden_dirs.h"
#include "supervise/priority.h"
#include "supervise/sandbox.h"

/* A word of the launcher with {ranks} and {threads} replaced. The caller frees it. */
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

static char **command_line(const struct driver_spec *spec)
{
    OWNED_TEXTS char **launcher = proc_argv_split(spec->launcher ? spec->launcher : "");
    struct proc_argv line = {0};
    for (size_t i = 0; spec->command && spec->command[i]; i++)
        proc_argv_push(&line, xstrdup(spec->command[i]));
    if (spec->command)
        return line.word;
    for (size_t i = 0; launcher[i]; i++)
        proc_argv_push(&line, fill_word(launcher[i], spec->launch));
    for (size_t i = 0; spec->tool && spec->tool[i]; i++)
        proc_argv_push(&line, xstrdup(spec->tool[i]));
    proc_argv_push(&line, xstrdup(spec->program));
    return line.word;
}

static void set_limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    setrlimit(what, &r);
}

/* Limits on open descriptors. A descriptor may stand for a megabyte of kernel memory in socket
 * buffers, which no other limit counts. A driver on the host opens about ten. mpirun opens 24 and
 * three for each rank; a rank over TCP opens 17 and one for each other rank; faster networks open
 * some more. The runtimes of GPUs open many for each GPU. */
enum {
    DESCRIPTORS_HOST = 64,
    DESCRIPTORS_MPI = 256,
    DESCRIPTORS_OF_RANK = 8,
    DESCRIPTORS_GPU = 1024
};

/* What the child needs between fork and exec. */
struct child {
    const struct driver_spec *spec;
    const char *program;
    char **argv, **env;
    int out;     /* becomes standard output and standard error */
    int failed;  /* receives the gate, if any, then errno and the step that failed, if one did */
    bool device; /* its kind has one */
    bool gated;  /* exec_gate.h */
    int sandbox; /* -1: none */
    const struct own_files *own;
    bool posix_shm; /* what its ranks share in files of their own is at /dev/shm, too */
    bool apart;     /* it enters these: */
    struct namespaces namespaces;
    char **hidden; /* hidden_dirs.h */
    unsigned hidden_count;
};

static rlim_t descriptors_most(const struct child *c)
{
    const struct driver_spec *spec = c->spec;
    if (c->device)
        return DESCRIPTORS_GPU;
    if (spec->launcher)
        return DESCRIPTORS_MPI + DESCRIPTORS_OF_RANK * (rlim_t)spec->launch.ranks;
    return DESCRIPTORS_HOST;
}

/* How long one file may be. The windows that ranks share are files in memory: they count as memory.
 * driver_limits.c adds all files up, those on disk apart from these. */
static uint64_t file_most(const struct driver_spec *spec)
{
    const uint64_t on_disk = driver_files_most(spec);
    const uint64_t in_memory = spec->launcher && spec->shm ? spec->limits->memory_bytes : 0;
    return in_memory > on_disk ? in_memory : on_disk;
}

/* Where shm_open() makes files, and libraries such as NCCL. */
#define SHM "/dev/shm"

/* The same rules as prepare(). Goes to the directory in which the program starts. A launcher may
 * want ranks of all nodes to start in its own: that must be everywhere. The driver then goes home.
 */
static int enter_own_files(const struct child *c)
{
    const bool everywhere = c->spec->launch.nodes > 1;
    if (!c->own->home)
        return chdir(everywhere ? "/" : c->spec->scratch);
    if (own_files_mount(c->own) != 0)
        return -1;
    sandbox_allow_writing(c->sandbox, c->own->home);
    sandbox_allow_writing(c->sandbox, c->own->shm);
    if (c->posix_shm)
        namespaces_show(c->own->shm, SHM); /* without it, MPI works all the same */
    return chdir(everywhere ? "/" : c->own->home);
}

/* The same rules as prepare(). */
static bool pass_gate(const struct child *c)
{
    const int gate = c->gated ? exec_gate_make() : -1;
    return !c->gated || (gate >= 0 && exec_gate_send(c->failed, gate) == 0);
}

/* What a child does before the program runs, as words after "cannot". */
enum step { STEP_RUN, STEP_APART, STEP_HIDE, STEP_STREAMS, STEP_FILES, STEP_SANDBOX, STEP_GATE };

static const char *const steps[] = {
    [STEP_RUN] = "run",
    [STEP_APART] = "enter namespaces of its own for",
    [STEP_HIDE] = "hide directories from",
    [STEP_STREAMS] = "connect the output of",
    [STEP_FILES] = "mount the files of",
    [STEP_SANDBOX] = "enter the sandbox of",
    [STEP_GATE] = "watch what is started by",
};

/* The number that the child sends if it cannot start the program. An errno is less than 4096. */
enum { STEP_UNIT = 1 << 16 };

/* Runs in the child; async-signal-safe calls only. STEP_RUN, or what failed, with errno. */
static enum step prepare(const struct child *c)
{
    const struct driver_spec *spec = c->spec;
    setsid();
    const bool alone = c->own->home && spec->launch.nodes <= 1; /* it needs no other node */
    if (c->apart && namespaces_enter(&c->namespaces, alone) != 0)
        return STEP_APART;
    if (c->apart && hidden_dirs_cover(c->hidden) != 0)
        return STEP_HIDE;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* when the proctor is killed, so is the driver */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, file_most(spec));
    priority_set(PRIORITY_TIMED);
    if (spec->cpus && !c->device) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (int i = 0; i < spec->cpu_count; i++)
            CPU_SET((size_t)spec->cpus[i], &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    const int null = open("/dev/null", O_RDONLY);
    if (dup2(null, 0) < 0 || dup2(c->out, 1) < 0 || dup2(c->out, 2) < 0)
        return STEP_STREAMS;
    if (enter_own_files(c) != 0)
        return STEP_FILES;
    const unsigned how = (c->device ? SANDBOX_GPU : 0) | (spec->own ? SANDBOX_OF_GRADER : 0);
    if (sandbox_enter(c->sandbox, how) != 0)
        return STEP_SANDBOX;
    if (!pass_gate(c))
        return STEP_GATE;
    set_limit(RLIMIT_NOFILE, descriptors_most(c)); /* the proctor's are still open here */
    return STEP_RUN;
}

/* The same rules as prepare(). */
static void run_child(const struct child *c)
{
    const enum step step = prepare(c);
    if (step == STEP_RUN)
        execve(c->program, c->argv, c->env);
    const int why = errno + (int)step * STEP_UNIT;
    ssize_t ignored = write(c->failed, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

/* The directory of a file, for the caller to free; NULL: there is none. */
static char *dir_of(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? xasprintf("%.*s", (int)(slash - file), file) : NULL;
}

/* The directory of its library. */
static char *library_dir(const struct driver_spec *spec)
{
    return dir_of(spec->library);
}

/* A tool finds its parts beside itself. */
static char *tool_dir(const struct driver_spec *spec)
{
    char *real = spec->tool ? realpath(spec->tool[0], NULL) : NULL, *dir = dir_of(real);
    free(real);
    return dir;
}

/* The sandbox of one driver: it reads its library, if it has one, and writes to its own
 * directories. */
static int make_sandbox(const struct driver_spec *spec, bool own_files)
{
    OWNED char *library = library_dir(spec), *tool = tool_dir(spec);
    const char *readable[] = {library, tool, NULL};
    const char *writable[] = {spec->scratch, spec->shm, NULL};
    struct sandbox_spec box = {.policy = spec->sandbox,
                               .readable = readable,
                               .writable = own_files ? NULL : writable,
                               .network = spec->launcher != NULL,
                               .gpus = driver_gpus(spec)};
    return sandbox_prepare(&box);
}

int driver_gpus(const struct driver_spec *spec)
{
    return launch_kind_has(spec->kind, KIND_DEVICE) ? launch_gpus(launch_on_node(spec->launch)) : 0;
}

/* What it must not see in its own table of mounts, if it has one. A process with a device needs
 * neither files of its own nor a network, and has none of these. Ranks do. */
static void set_apart(struct child *c)
{
    const struct driver_spec *spec = c->spec;
    c->apart = (!c->device || spec->launcher) && namespaces_possible();
    if (!c->apart)
        return;
    OWNED char *library = library_dir(spec), *programs = install_path("libexec/paragrade");
    enum { SHARED = 3 }; /* nothing is there if it has files of its own */
    const char *const used[] = {library, programs, spec->scratch, [SHARED] = spec->shm};
    namespaces_prepare(&c->namespaces);
    c->posix_shm = c->own->shm && strncmp(c->program, SHM "/", strlen(SHM "/")) != 0;
    for (size_t i = 0; i < sizeof used / sizeof used[0] && c->posix_shm; i++)
        c->posix_shm = !used[i] || i == SHARED || strncmp(used[i], SHM "/", strlen(SHM "/")) != 0;
    c->hidden =
        hidden_dirs_choose(spec->sandbox, used, sizeof used / sizeof used[0], &c->hidden_count);
}

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Wait until the program runs (then the child's end of the socket closes), or could not be started.
 * 0, or what the child sent. */
static int await_exec(int failed, struct spawned *s)
{
    for (;;) {
        int why, gate;
        struct pollfd p[] = {{failed, POLLIN, 0}, {s->gate, POLLIN, 0}};
        if (poll(p, 2, -1) < 0)
            continue;
        if (p[1].revents & POLLIN)
            exec_gate_answer(s->gate);
        if (!p[0].revents)
            continue;
        if ((gate = exec_gate_receive(failed, &why)) < 0)
            return why;
        s->gate = gate;
    }
}

int driver_spawn(const struct driver_spec *spec, const struct own_files *own, char **env,
                 struct spawned *s, struct outcome *o)
{
    const bool device = launch_kind_has(spec->kind, KIND_DEVICE);
    int sandbox = make_sandbox(spec, own->home != NULL);
    char **argv = command_line(spec);
    char *program = proc_which(argv[0]);
    int out[2] = {-1, -1}, failed[2] = {-1, -1}, rc = -1, why;
    *s = (struct spawned){.output_fd = -1, .gate = -1, .protections = sandbox_protections(sandbox)};
    if (!program) {
        outcome_set(o, OUTCOME_NOT_STARTED, "%s: command not found", argv[0]);
        goto done;
    }
    if (pipe2(out, O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, failed) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "cannot create a pipe: %s", strerror(errno));
        goto done;
    }
    struct child child = {.spec = spec,
                          .program = program,
                          .argv = argv,
                          .env = env,
                          .out = out[1],
                          .failed = failed[1],
                          .device = device,
                          .gated = spec->launcher && exec_gate_possible(),
                          .sandbox = sandbox,
                          .own = own};
    set_apart(&child);
    if (child.apart)
        s->protections |= PROTECTION_BIT(PROTECTION_NAMESPACES);
    s->pid = fork();
    if (s->pid == 0)
        run_child(&child);
    texts_free(child.hidden, child.hidden_count);
    if (s->pid < 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "cannot fork: %s", strerror(errno));
        goto done;
    }
    close(failed[1]);
    failed[1] = -1;
    if ((why = await_exec(failed[0], s)) != 0)
        outcome_set(o, OUTCOME_NOT_STARTED, "cannot %s %s: %s", steps[why / STEP_UNIT], program,
                    strerror(why % STEP_UNIT));
    else
        rc = 0;
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    s->output_fd = out[0];
    out[0] = -1;
done:
    close_open(out[0]);
    close_open(out[1]);
    close_open(failed[0]);
    close_open(failed[1]);
    close_open(sandbox);
    free(program);
    proc_argv_free(argv);
    return rc;
}

void driver_kill_tree(pid_t root)
{
    /* Collect the descendants first: when the root is dead, they are children of the proctor. */
    struct pid_list known;
    procfs_descendants(root, &known);
    kill(root, SIGKILL);
    for (size_t i = 0; i < known.count; i++)
        kill(known.pid[i], SIGKILL);
    pid_list_free(&known);
    /* More may be born meanwhile, so repeat until there are none. */
    for (int round = 0; round < 1000; round++) {
        struct pid_list l;
        procfs_descendants(root, &l);
        size_t n = l.count;
        for (size_t i = 0; i < n; i++)
            kill(l.pid[i], SIGKILL);
        pid_list_free(&l);
        if (!n)
            return;
        clock_sleep_ms(1);
    }
}
