#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "supervise/driver_parts.h"
#include "supervise/priority.h"
#include "supervise/sandbox.h"

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

static char **command_line(const struct driver_spec *spec)
{
    char **words = proc_argv_split(spec->launcher ? spec->launcher : "");
    size_t n = 0;
    for (; words[n]; n++) {
        char *filled = fill_word(words[n], spec->launch);
        free(words[n]);
        words[n] = filled;
    }
    words = xrealloc_array(words, n + 2, sizeof *words);
    words[n] = xstrdup(spec->program);
    words[n + 1] = NULL;
    return words;
}

static void set_limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    setrlimit(what, &r);
}

/* Descriptors: each may stand for a megabyte of the kernel's, in buffers of sockets, that nobody
 * counts. A driver on the host has about ten. mpirun has 24 and three for each rank, a rank over
 * TCP 17 and one for each other; faster networks open some more. The runtimes of GPUs open many for
 * each GPU. */
enum { FILES_HOST = 64, FILES_MPI = 256, FILES_OF_RANK = 8, FILES_GPU = 1024 };

static rlim_t files_most(const struct driver_spec *spec)
{
    if (driver_uses_gpu(spec))
        return FILES_GPU;
    return spec->launcher ? FILES_MPI + FILES_OF_RANK * (rlim_t)spec->launch.ranks : FILES_HOST;
}

/* In the child; async-signal-safe calls only. */
static void child(const struct driver_spec *spec, const char *program, char **argv, char **env,
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
    set_limit(RLIMIT_FSIZE, spec->limits->output_bytes + DRIVER_FILES_MOST);
    priority_set(PRIORITY_TIMED);
    if (spec->cpus && !driver_uses_gpu(spec)) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (int i = 0; i < spec->cpu_count; i++)
            CPU_SET((size_t)spec->cpus[i], &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    int null = open("/dev/null", O_RDONLY);
    if (dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0 && chdir(spec->scratch) == 0 &&
        sandbox_enter(sandbox, driver_uses_gpu(spec)) == 0) {
        set_limit(RLIMIT_NOFILE, files_most(spec)); /* the proctor's own are still open here */
        execve(program, argv, env);
    }
    int why = errno;
    ssize_t ignored = write(fail_fd, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

/* The domain of one driver: it reads its library and writes to its own directories. */
static int make_sandbox(const struct driver_spec *spec)
{
    char *library_dir = xstrdup(spec->library);
    char *slash = strrchr(library_dir, '/');
    if (slash)
        *slash = '\0';
    const char *readable[] = {library_dir, NULL};
    const char *writable[] = {spec->scratch, spec->shm, NULL};
    struct sandbox_spec box = {.policy = spec->sandbox,
                               .readable = readable,
                               .writable = writable,
                               .network = spec->launcher != NULL,
                               .gpu = driver_uses_gpu(spec)};
    int fd = sandbox_prepare(&box);
    free(library_dir);
    return fd;
}

int driver_spawn(struct driver_process *s, char **env, struct outcome *o)
{
    int sandbox = make_sandbox(&s->spec);
    s->protections = sandbox_protections(sandbox);
    char **argv = command_line(&s->spec);
    char *program = proc_which(argv[0]);
    int out[2] = {-1, -1}, failed[2] = {-1, -1}, rc = -1, why;
    if (!program) {
        outcome_set(o, OUTCOME_NOT_STARTED, "%s: command not found", argv[0]);
    } else if (pipe2(out, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "cannot create a pipe: %s", strerror(errno));
    } else {
        s->pid = fork();
        if (s->pid == 0)
            child(&s->spec, program, argv, env, out[1], sandbox, failed[1]);
        close(out[1]);
        close(failed[1]);
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        s->output_fd = out[0];
        if (s->pid < 0)
            outcome_set(o, OUTCOME_NOT_STARTED, "cannot fork: %s", strerror(errno));
        else if (read(failed[0], &why, sizeof why) == (ssize_t)sizeof why)
            outcome_set(o, OUTCOME_NOT_STARTED, "cannot run %s: %s", program, strerror(why));
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

void driver_kill_tree(pid_t root)
{
    /* While the root lives its descendants can be told; then they become the proctor's. */
    struct pid_list known;
    procfs_descendants(root, &known);
    kill(root, SIGKILL);
    for (size_t i = 0; i < known.count; i++)
        kill(known.pid[i], SIGKILL);
    pid_list_free(&known);
    /* New ones may be born while we look: repeat until a look finds none. */
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
