#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *proc_which(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? xstrdup(name) : NULL;
    const char *path = getenv("PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*path) {
        size_t n = strcspn(path, ":");
        char *full = xasprintf("%.*s/%s", (int)n, path, name);
        if (n && is_program(full))
            return full;
        free(full);
        path += n + (path[n] == ':');
    }
    return NULL;
}

static void set_nonblock(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* In the child: nothing here may allocate. A failure to exec is told through fail_fd. */
static void child_exec(const struct proc_spec *spec, const char *program, int in, int out, int err,
                       int fail_fd)
{
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (spec->prepare)
        spec->prepare(spec->prepare_arg);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 &&
        (!spec->cwd || chdir(spec->cwd) == 0))
        execve(program, spec->argv, spec->env ? spec->env : environ);
    int why = errno;
    ssize_t ignored = write(fail_fd, &why, sizeof why);
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

static void feed(int *fd, const char **input)
{
    size_t left = strlen(*input);
    ssize_t n = left ? write(*fd, *input, left) : 0;
    if (n > 0)
        *input += n;
    if (!**input || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        close(*fd);
        *fd = -1;
    }
}

static int pump(const struct proc_spec *spec, struct proc_result *r, pid_t pid, int in, int out,
                int err)
{
    uint64_t start = clock_mono_ns();
    const char *input = spec->input ? spec->input : "";
    bool out_open = true, err_open = true;
    while (out_open || err_open) {
        int wait_ms = -1;
        if (spec->timeout_ms) {
            int64_t left = spec->timeout_ms - (int64_t)((clock_mono_ns() - start) / 1000000);
            if (left <= 0) {
                r->timed_out = true;
                break;
            }
            wait_ms = (int)left;
        }
        struct pollfd p[3] = {
            {out_open ? out : -1, POLLIN, 0}, {err_open ? err : -1, POLLIN, 0}, {in, POLLOUT, 0}};
        if (poll(p, 3, wait_ms) < 0 && errno != EINTR)
            break;
        if (p[0].revents)
            out_open = drain(out, &r->out, spec->output_max, &r->truncated);
        if (p[1].revents)
            err_open = drain(err, &r->err, spec->output_max, &r->truncated);
        if (in >= 0 && p[2].revents)
            feed(&in, &input);
    }
    if (in >= 0)
        close(in);
    /* The group, not only the leader: a compiler driver has children. */
    if (r->timed_out)
        kill(-pid, SIGKILL);
    int got;
    if (spec->timeout_ms && !r->timed_out) {
        /* Output is closed but the program may linger: same limit. */
        while ((got = waitpid(pid, &r->status, WNOHANG)) == 0) {
            if ((clock_mono_ns() - start) / 1000000 > (uint64_t)spec->timeout_ms) {
                r->timed_out = true;
                kill(-pid, SIGKILL);
                break;
            }
            clock_sleep_ms(1);
        }
        if (got == pid)
            return 0;
    }
    do
        got = waitpid(pid, &r->status, 0);
    while (got < 0 && errno == EINTR);
    return got == pid ? 0 : -1;
}

int proc_run(const struct proc_spec *spec, struct proc_result *r, struct err *e)
{
    *r = (struct proc_result){.out = STRBUF_INIT, .err = STRBUF_INIT};
    char *program = proc_which(spec->argv[0]);
    if (!program)
        return err_system(e, "%s: command not found", spec->argv[0]);
    int out[2], err[2], fail[2], in[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0 || pipe2(fail, O_CLOEXEC) != 0 ||
        (spec->input && pipe2(in, O_CLOEXEC) != 0)) {
        free(program);
        return err_system(e, "cannot create a pipe: %s", strerror(errno));
    }
    int null = spec->input ? in[0] : open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0)
        child_exec(spec, program, null, out[1], err[1], fail[1]);
    int fork_errno = errno;
    close(null);
    close(out[1]);
    close(err[1]);
    close(fail[1]);
    int rc = 0, why = 0;
    if (pid < 0) {
        rc = err_system(e, "cannot fork for %s: %s", spec->argv[0], strerror(fork_errno));
        if (in[1] >= 0)
            close(in[1]);
    } else {
        setpgid(pid, pid); /* both sides set it: whoever comes first */
        set_nonblock(out[0]);
        set_nonblock(err[0]);
        if (in[1] >= 0)
            set_nonblock(in[1]);
        if (read(fail[0], &why, sizeof why) == (ssize_t)sizeof why) {
            waitpid(pid, &r->status, 0);
            if (in[1] >= 0)
                close(in[1]);
            rc = err_system(e, "cannot run %s: %s", program, strerror(why));
        } else {
            /* A program that closes its stdin early must not kill us. */
            struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
            sigaction(SIGPIPE, &ignore, &before);
            rc = pump(spec, r, pid, in[1], out[0], err[0]);
            sigaction(SIGPIPE, &before, NULL);
            if (rc != 0)
                rc = err_system(e, "%s: its exit status is lost: %s", program, strerror(errno));
        }
    }
    close(out[0]);
    close(err[0]);
    close(fail[0]);
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
    char **argv = NULL;
    size_t n = 0;
    for (;;) {
        line += strspn(line, " \t\n");
        size_t len = strcspn(line, " \t\n");
        argv = xrealloc_array(argv, n + 1, sizeof *argv);
        if (!len) {
            argv[n] = NULL;
            return argv;
        }
        argv[n++] = xasprintf("%.*s", (int)len, line);
        line += len;
    }
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
