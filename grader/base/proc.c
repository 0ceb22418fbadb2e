#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { GIVE_WAY_MS = 10, STOP_CHECK_MS = 100, HELD_UP_CHECK_MS = 1000, NS_PER_MS = 1000000 };

#define NO_LIMIT INT64_MAX

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

void proc_default_path(void)
{
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0);
}

char *proc_which(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? xstrdup(name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        char *full = xasprintf("%.*s/%s", (int)n, path, name);
        if (n && is_program(full))
            return full;
        free(full);
        path += n + (path[n] == ':');
    }
    return NULL;
}

static void close_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void set_nonblock(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* The read end is [0], the write end is [1]; -1: not open. */
struct pipes {
    int out[2], err[2];
    int fail[2]; /* the child writes errno here when it cannot exec */
};

/* In the child: nothing here may allocate. A failure to exec is told through a pipe. */
static void child_exec(const struct proc_spec *spec, const char *program, pid_t parent, int input,
                       const struct pipes *p)
{
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (spec->prepare)
        spec->prepare(spec->prepare_arg);
    /* The thread that called proc_run() stays there as long as the program runs. So this signal
     * means that the whole process is dead. Changing credentials, which prepare() may do, would
     * undo it. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127); /* it died before the call above */
    if (dup2(input, 0) >= 0 && dup2(p->out[1], 1) >= 0 && dup2(p->err[1], 2) >= 0 &&
        (!spec->cwd || chdir(spec->cwd) == 0))
        execve(program, spec->argv, spec->env ? spec->env : environ);
    int why = errno;
    ssize_t ignored = write(p->fail[1], &why, sizeof why);
    (void)ignored;
    _exit(127);
}

static bool drain(int fd, struct strbuf *sb, size_t max, bool *truncated)
{
    char buf[16384];
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n == 0)
            return false;
        size_t room = sb->len < max ? max - sb->len : 0;
        if ((size_t)n > room)
            *truncated = true;
        strbuf_add(sb, buf, (size_t)n < room ? (size_t)n : room);
    }
}

/* When a program that runs is to be ended. */
struct expiry {
    const struct proc_spec *spec;
    struct proc_result *r;
    pid_t pid;
    uint64_t start, asked; /* asked: when the program was last asked how long it was held up */
};

static int64_t put_off_ms(const struct proc_result *r)
{
    return (int64_t)((r->held_up_ns + r->gave_way_ns) / NS_PER_MS);
}

/* What is left of the time, ms, or NO_LIMIT; 0 or less: it is over, or told to stop. */
static int64_t time_left(struct expiry *x)
{
    const struct proc_spec *spec = x->spec;
    if (spec->stop && *spec->stop)
        return 0;
    if (!spec->timeout_ms)
        return NO_LIMIT;
    const uint64_t now = clock_mono_ns();
    const int64_t ran = (int64_t)((now - x->start) / NS_PER_MS);
    int64_t left = spec->timeout_ms + put_off_ms(x->r) - ran;
    if (spec->held_up && (left <= 0 || now - x->asked >= (uint64_t)HELD_UP_CHECK_MS * NS_PER_MS)) {
        x->asked = now;
        x->r->held_up_ns += spec->held_up(x->pid, spec->held_up_arg);
        left = spec->timeout_ms + put_off_ms(x->r) - ran;
    }
    return left;
}

/* How long to sleep at most, ms; -1: until something happens. A signal may come between the look at
 * what it has set and the sleep. */
static int sleep_ms(const struct proc_spec *spec, int64_t left)
{
    const int ms = spec->give_way  ? GIVE_WAY_MS
                   : spec->stop    ? STOP_CHECK_MS
                   : spec->held_up ? HELD_UP_CHECK_MS
                                   : -1;
    if (left == NO_LIMIT || (ms >= 0 && left >= ms))
        return ms;
    return left < INT_MAX ? (int)left : INT_MAX;
}

static void give_way(const struct proc_spec *spec, struct proc_result *r, pid_t pid)
{
    if (spec->give_way)
        r->gave_way_ns += spec->give_way(pid, spec->give_way_arg);
}

/* Read from a program until it has ended or its time is over. */
static int pump(const struct proc_spec *spec, struct proc_result *r, pid_t pid, int out, int err)
{
    const uint64_t start = clock_mono_ns();
    struct expiry expiry = {spec, r, pid, start, start};
    bool out_open = true, err_open = true;
    while (out_open || err_open) {
        const int64_t left = time_left(&expiry);
        if (left <= 0) {
            r->timed_out = true;
            break;
        }
        struct pollfd p[2] = {{out_open ? out : -1, POLLIN, 0}, {err_open ? err : -1, POLLIN, 0}};
        if (poll(p, 2, sleep_ms(spec, left)) < 0 && errno != EINTR)
            break;
        if (p[0].revents)
            out_open = drain(out, &r->out, spec->output_max, &r->truncated);
        if (p[1].revents) {
            err_open = drain(err, &r->err, spec->output_max, &r->truncated);
            if (spec->said && r->err.s)
                spec->said(r->err.s, spec->said_arg);
        }
        give_way(spec, r, pid);
    }
    /* The group, not only the leader: a compiler driver has children. */
    if (r->timed_out)
        kill(-pid, SIGKILL);
    int got = 0;
    /* Its output is closed, but the program may linger: same limit. */
    while ((spec->timeout_ms || spec->stop) && !r->timed_out &&
           (got = waitpid(pid, &r->status, WNOHANG)) == 0) {
        if (time_left(&expiry) <= 0) {
            r->timed_out = true;
            kill(-pid, SIGKILL);
        } else {
            clock_sleep_ms(1);
            give_way(spec, r, pid);
        }
    }
    if (got == pid)
        return 0;
    do
        got = waitpid(pid, &r->status, 0);
    while (got < 0 && errno == EINTR);
    return got == pid ? 0 : -1;
}

/* The parent's part, when the child's ends are closed. */
static int attend(const struct proc_spec *spec, const char *program, pid_t pid, struct pipes *p,
                  struct proc_result *r, struct err *e)
{
    setpgid(pid, pid); /* both sides set it: whoever comes first */
    set_nonblock(p->out[0]);
    set_nonblock(p->err[0]);
    int why = 0;
    ssize_t n;
    while ((n = read(p->fail[0], &why, sizeof why)) < 0 && errno == EINTR)
        ;
    if (n == (ssize_t)sizeof why) {
        waitpid(pid, &r->status, 0);
        return err_system(e, "cannot run %s: %s", program, strerror(why));
    }
    int rc = pump(spec, r, pid, p->out[0], p->err[0]);
    if (rc != 0)
        rc = err_system(e, "%s: its exit status is lost: %s", program, strerror(errno));
    return rc;
}

/* A program reads its input from a file, so that nobody waits for it to read. */
static int open_input(const char *text)
{
    if (!text)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    const size_t n = strlen(text);
    int fd = memfd_create("input", MFD_CLOEXEC);
    if (fd >= 0 && (write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0))
        close_open(&fd);
    return fd;
}

int proc_run(const struct proc_spec *spec, struct proc_result *r, struct err *e)
{
    *r = (struct proc_result){.out = STRBUF_INIT, .err = STRBUF_INIT};
    char *program = proc_which(spec->argv[0]);
    if (!program)
        return err_system(e, "%s: command not found", spec->argv[0]);
    struct pipes p = {{-1, -1}, {-1, -1}, {-1, -1}};
    int input = -1, rc = -1;
    if (pipe2(p.out, O_CLOEXEC) != 0 || pipe2(p.err, O_CLOEXEC) != 0 ||
        pipe2(p.fail, O_CLOEXEC) != 0) {
        rc = err_system(e, "cannot create a pipe: %s", strerror(errno));
        goto out;
    }
    input = open_input(spec->input);
    if (input < 0) {
        rc = err_system(e, "cannot open the input of %s: %s", spec->argv[0], strerror(errno));
        goto out;
    }
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) {
        rc = err_system(e, "cannot fork for %s: %s", spec->argv[0], strerror(errno));
        goto out;
    }
    if (pid == 0)
        child_exec(spec, program, parent, input, &p);
    /* The child's ends: while they are open here, the parent sees no end of file. */
    close_open(&p.out[1]);
    close_open(&p.err[1]);
    close_open(&p.fail[1]);
    rc = attend(spec, program, pid, &p, r, e);
out:
    close_open(&input);
    for (int end = 0; end < 2; end++) {
        close_open(&p.out[end]);
        close_open(&p.err[end]);
        close_open(&p.fail[end]);
    }
    free(program);
    return rc;
}

void proc_result_free(struct proc_result *r)
{
    strbuf_free(&r->out);
    strbuf_free(&r->err);
}

bool proc_ok(const struct proc_result *r)
{
    return !r->timed_out && WIFEXITED(r->status) && WEXITSTATUS(r->status) == 0;
}

void proc_describe(const struct proc_result *r, char *out, size_t cap)
{
    if (r->timed_out)
        snprintf(out, cap, "timed out");
    else if (WIFSIGNALED(r->status))
        snprintf(out, cap, "killed by signal %d (%s)", WTERMSIG(r->status),
                 strsignal(WTERMSIG(r->status)));
    else
        snprintf(out, cap, "exit status %d", WEXITSTATUS(r->status));
}

char **proc_argv_split(const char *line)
{
    struct proc_argv v = {.word = xcalloc(1, sizeof *v.word)};
    for (;;) {
        line += strspn(line, " \t\n");
        size_t len = strcspn(line, " \t\n");
        if (!len)
            return v.word;
        proc_argv_push(&v, xasprintf("%.*s", (int)len, line));
        line += len;
    }
}

void proc_argv_push(struct proc_argv *v, char *word)
{
    v->word = xrealloc_array(v->word, v->count + 2, sizeof *v->word);
    v->word[v->count++] = word;
    v->word[v->count] = NULL;
}

void proc_argv_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

unsigned long long proc_start_time(long pid)
{
    char path[64], buf[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    size_t n = fread(buf, 1, sizeof buf - 1, f);
    fclose(f);
    buf[n] = '\0';
    /* The command name may hold anything, so count fields from its closing parenthesis. */
    const char *p = strrchr(buf, ')');
    char state = 'X';
    unsigned long long start = 0;
    if (!p || sscanf(p,
                     ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                     "%*d %*d %llu",
                     &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}
