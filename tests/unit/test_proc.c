/* Other programs: those that do not start, do not end, say too much or too little. */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/proc.h"

#include "test_dir.h"

static size_t open_before;

/* Open descriptors of this process. */
static size_t descriptors(void)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    assert_int_equal(fs_list("/proc/self/fd", &names, &n, NULL), 0);
    return n;
}

static int count_descriptors(void **arg)
{
    open_before = descriptors();
    return 0;
}

/* After every test: no descriptor was left open, no child was left unreaped. */
static int nothing_is_left(void **arg)
{
    if (descriptors() != open_before)
        print_error("%zu descriptors, there were %zu\n", descriptors(), open_before);
    return descriptors() == open_before && waitpid(-1, NULL, WNOHANG) == -1 ? 0 : -1;
}

static int remove_dir(void **arg)
{
    return test_dir_remove(arg);
}

static void put(const char *name, const char *text, mode_t mode)
{
    OWNED char *path = at(name), *parent = at(name);
    *strrchr(parent, '/') = '\0';
    assert_int_equal(fs_mkdirs(parent, NULL), 0);
    assert_int_equal(fs_write_atomic(path, text, strlen(text), NULL), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* Run a shell script under the given conditions; it must start. */
static void sh(const char *script, struct proc_spec spec, struct proc_result *r)
{
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, xstrdup(script), NULL};
    struct err e = ERR_INIT;
    spec.argv = argv;
    if (!spec.output_max)
        spec.output_max = 1000;
    if (proc_run(&spec, r, &e) != 0)
        fail_msg("%s: %s", script, e.text);
    free(argv[2]);
}

static volatile sig_atomic_t told_to_stop;

static void on_alarm(int signo)
{
    (void)signo;
    told_to_stop = 1;
}

static uint64_t once(pid_t pid, void *times)
{
    assert_true(pid > 0);
    return (*(int *)times)-- > 0 ? UINT64_C(400000000) : 0;
}

/* The time in which a program waits for a core does not count. */
TEST(held_up)
{
    static const struct {
        const char *script;
        int times;
        bool timed_out;
    } table[] = {
        {"sleep 100", 0, true},
        {"sleep 100", 2, true},
        {"sleep 0.5", 20, false},
        {"exec >&- 2>&-; sleep 100", 1, true},
        {"exec >&- 2>&-; sleep 0.5", 20, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int times = table[i].times;
        FREED_BY(proc_result_free) struct proc_result r = {0};
        sh(table[i].script,
           (struct proc_spec){.timeout_ms = 100, .held_up = once, .held_up_arg = &times}, &r);
        if (r.timed_out != table[i].timed_out || (!r.timed_out && !r.held_up_ns))
            fail_msg("%s, %d: %d", table[i].script, table[i].times, r.timed_out);
        if (r.timed_out)
            assert_int_equal(r.held_up_ns, UINT64_C(400000000) * (uint64_t)table[i].times);
    }
}

/* Stops the program's group for a moment, and says that it was much longer. */
static uint64_t stand_still(pid_t group, void *times)
{
    if ((*(int *)times)-- <= 0)
        return 0;
    kill(-group, SIGSTOP);
    clock_sleep_ms(20);
    kill(-group, SIGCONT);
    return UINT64_C(10000000000);
}

/* The time in which a program is stopped does not count, and it goes on afterwards. */
TEST(gives_way)
{
    static const char *const scripts[] = {"sleep 0.5; echo done",
                                          "echo done; exec >&- 2>&-; sleep 0.5"};
    for (int times = 0; times <= 2; times++)
        for (int i = 0; i < 2; i++) {
            int left = times;
            FREED_BY(proc_result_free) struct proc_result r = {0};
            sh(scripts[i],
               (struct proc_spec){.timeout_ms = 200,
                                  .output_max = 100,
                                  .give_way = stand_still,
                                  .give_way_arg = &left},
               &r);
            assert_int_equal(r.timed_out, times == 0);
            assert_int_equal(r.gave_way_ns, UINT64_C(10000000000) * (uint64_t)times);
            if (times)
                assert_string_equal(r.out.s, "done\n");
        }
}

TEST(cannot_start)
{
    put("text", "int x;\n", 0644);
    put("garbage", "\x7f\x01\x02", 0755);
    const struct {
        const char *name, *cwd, *says;
    } table[] = {
        {"no-such-command-here", NULL, "no-such-command-here: command not found"},
        {"/no/such/path", NULL, "/no/such/path: command not found"},
        {"DIR/text", NULL, "command not found"},
        {"DIR/garbage", NULL, "Exec format error"},
        {"DIR/.", NULL, "command not found"}, /* a directory is no program */
        {"", NULL, "command not found"},
        {"true", "/no/such/path", "No such file or directory"},
        {"true", "DIR/text", "Not a directory"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *name = table[i].name, *cwd = table[i].cwd;
        char *argv[] = {strncmp(name, "DIR", 3) == 0 ? at(name + 4) : xstrdup(name), NULL};
        OWNED char *where = cwd && strncmp(cwd, "DIR", 3) == 0 ? at(cwd + 4)
                            : cwd                              ? xstrdup(cwd)
                                                               : NULL;
        FREED_BY(proc_result_free) struct proc_result r = {0};
        struct err e = ERR_INIT;
        struct proc_spec spec = {.argv = argv, .cwd = where, .input = "x", .output_max = 10};
        if (proc_run(&spec, &r, &e) != -1 || e.kind != ERR_SYSTEM || !strstr(e.text, table[i].says))
            fail_msg("%s: '%s'", name, e.text);
        assert_int_equal(r.out.len + r.err.len, 0);
        free(argv[0]);
    }
}

/* The limit on descriptors rises until a program runs. So each pipe fails in turn, and then the
 * input, or /dev/null in its place. No failure leaves a descriptor open. */
TEST(too_few_descriptors)
{
    static const char *const inputs[] = {"x", NULL};
    enum { PIPES = 3 }; /* two descriptors each */
    struct rlimit before, low;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char *argv[] = {(char[]){"true"}, NULL};
        struct proc_spec spec = {.argv = argv, .input = inputs[i], .output_max = 10};
        const size_t open = descriptors();
        const int lowest = dup(0);
        assert_true(lowest > 0);
        close(lowest);
        unsigned no_pipe = 0, no_input = 0;
        int rc = -1;
        low = before;
        for (low.rlim_cur = (rlim_t)lowest; rc != 0; low.rlim_cur++) {
            struct proc_result r;
            struct err e = ERR_INIT;
            assert_true(low.rlim_cur < before.rlim_cur);
            assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
            rc = proc_run(&spec, &r, &e);
            setrlimit(RLIMIT_NOFILE, &before);
            assert_true(rc != 0 || proc_ok(&r));
            no_pipe += rc != 0 && strstr(e.text, "cannot create a pipe: Too many open files");
            no_input +=
                rc != 0 && strstr(e.text, "cannot open the input of true: Too many open files");
            proc_result_free(&r);
            if (descriptors() != open)
                fail_msg("limit %u: %zu descriptors, there were %zu", (unsigned)low.rlim_cur,
                         descriptors(), open);
        }
        assert_true(no_pipe >= 2 * PIPES);
        assert_true(no_input > 0);
    }
}

TEST(endings)
{
    static const struct {
        const char *script;
        int timeout_ms;
        bool ok;
        const char *described;
    } table[] = {
        {"exit 3", 0, false, "exit status 3"},
        {"exit 3", 60000, false, "exit status 3"},
        {"exit 255", 0, false, "exit status 255"},
        {"kill -11 $$", 0, false, "killed by signal 11 (Segmentation fault)"},
        {"kill -9 $$", 60000, false, "killed by signal 9 (Killed)"},
        {"exec >&- 2>&-; exit 4", 60000, false, "exit status 4"},
        {"sleep 100", 30, false, "timed out"},
        {"trap '' TERM INT HUP; sleep 100", 30, false, "timed out"},
        {"exec >&- 2>&-; exec sleep 100", 30, false, "timed out"},
        {"echo error >&2", 0, true, "exit status 0"},
        {"true", 60000, true, "exit status 0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(proc_result_free) struct proc_result r = {0};
        char text[100];
        sh(table[i].script, (struct proc_spec){.timeout_ms = table[i].timeout_ms}, &r);
        proc_describe(&r, text, sizeof text);
        if (proc_ok(&r) != table[i].ok ||
            strncmp(text, table[i].described, strlen(table[i].described)) != 0 ||
            r.timed_out != (strncmp(text, "timed out", 9) == 0))
            fail_msg("%s: '%s'", table[i].script, text);
    }
}

/* Every process of the group holds the pipe's other end: it is closed when all are dead. */
TEST(whole_group_is_killed)
{
    int p[2];
    assert_int_equal(pipe(p), 0);
    fcntl(p[0], F_SETFD, FD_CLOEXEC);
    FREED_BY(proc_result_free) struct proc_result r = {0};
    sh("echo before; (sleep 100 & sleep 100) & sleep 100", (struct proc_spec){.timeout_ms = 100},
       &r);
    close(p[1]);
    struct pollfd ready = {p[0], POLLIN, 0};
    assert_int_equal(poll(&ready, 1, 20000), 1);
    assert_true(ready.revents & POLLHUP);
    assert_true(r.timed_out);
    assert_string_equal(r.out.s, "before\n"); /* what came in time is kept */
    close(p[0]);
}

/* A request to stop, with and without a limit; also of a program that has closed its output. */
TEST(stopped)
{
    static const struct {
        const char *script;
        int timeout_ms;
    } table[] = {
        {"(sleep 100 & sleep 100) & sleep 100", 0},
        {"(sleep 100 & sleep 100) & sleep 100", 60000},
        {"exec >&- 2>&-; sleep 100 & sleep 100", 0},
        {"exec >&- 2>&-; sleep 100 & sleep 100", 60000},
    };
    const struct sigaction sa = {.sa_handler = on_alarm};
    const struct itimerval soon = {.it_value = {.tv_usec = 300000}};
    sigaction(SIGALRM, &sa, NULL);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(proc_result_free) struct proc_result r = {0};
        int p[2];
        assert_int_equal(pipe(p), 0);
        fcntl(p[0], F_SETFD, FD_CLOEXEC);
        told_to_stop = 0;
        const uint64_t start = clock_mono_ns();
        setitimer(ITIMER_REAL, &soon, NULL);
        sh(table[i].script,
           (struct proc_spec){.timeout_ms = table[i].timeout_ms, .stop = &told_to_stop}, &r);
        close(p[1]);
        if (!r.timed_out || clock_mono_ns() - start > UINT64_C(20000000000))
            fail_msg("%s, %d", table[i].script, table[i].timeout_ms);
        struct pollfd ready = {p[0], POLLIN, 0};
        assert_int_equal(poll(&ready, 1, 20000), 1);
        assert_true(ready.revents & POLLHUP); /* the whole group has ended */
        close(p[0]);
    }
    signal(SIGALRM, SIG_DFL);
}

/* A program does not go on when the process that runs it is killed. */
TEST(killed_with_its_parent)
{
    int p[2];
    assert_int_equal(pipe(p), 0);
    fcntl(p[0], F_SETFD, FD_CLOEXEC);
    OWNED char *script = xasprintf("echo >&%d; exec sleep 100", p[1]);
    const pid_t parent = fork();
    if (parent == 0) {
        struct proc_result r;
        sh(script, (struct proc_spec){0}, &r);
        _exit(0);
    }
    close(p[1]);
    char started;
    assert_int_equal(read(p[0], &started, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    struct pollfd ready = {p[0], POLLIN, 0};
    assert_int_equal(poll(&ready, 1, 20000), 1);
    assert_true(ready.revents & POLLHUP);
    close(p[0]);
}

TEST(output)
{
    static const struct {
        const char *script;
        size_t max, out, err;
        bool truncated;
    } table[] = {
        {"printf 12345678", 7, 7, 0, true},
        {"printf 12345678 >&2", 7, 0, 7, true},
        {"printf 12345678", 8, 8, 0, false},
        {"printf 1234; printf 12 >&2", 4, 4, 2, false}, /* each has its own limit */
        {"head -c 300000 /dev/zero", 100000, 100000, 0, true},
        {"head -c 300000 /dev/zero >&2; printf 1", 300000, 1, 300000, false},
        {"printf 'a\\000b'", 10, 3, 0, false},
        {"true", 10, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(proc_result_free) struct proc_result r = {0};
        sh(table[i].script, (struct proc_spec){.output_max = table[i].max}, &r);
        if (!proc_ok(&r) || r.out.len != table[i].out || r.err.len != table[i].err ||
            r.truncated != table[i].truncated)
            fail_msg("%s: %zu, %zu, %d", table[i].script, r.out.len, r.err.len, r.truncated);
    }
    /* A flood is no way around the limit of time. */
    FREED_BY(proc_result_free) struct proc_result r = {0};
    uint64_t start = clock_mono_ns();
    sh("yes & yes >&2 & yes", (struct proc_spec){.output_max = 1000, .timeout_ms = 50}, &r);
    assert_true(clock_mono_ns() - start < UINT64_C(20000000000));
    assert_true(r.timed_out && r.truncated);
    assert_int_equal(r.out.len, 1000);
}

TEST(input)
{
    enum { SIZE = 300000 }; /* more than a pipe holds */
    OWNED char *text = xcalloc(SIZE + 1, 1);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)('a' + i % 26);
    struct proc_result r;
    sh("cat", (struct proc_spec){.input = text, .output_max = SIZE, .timeout_ms = 60000}, &r);
    assert_true(proc_ok(&r));
    assert_string_equal(r.out.s, text);
    proc_result_free(&r);

    /* One that does not want it kills nobody. */
    sh("exec <&-; echo no", (struct proc_spec){.input = text}, &r);
    assert_string_equal(r.out.s, "no\n");
    proc_result_free(&r);

    sh("cat", (struct proc_spec){.input = ""}, &r);
    assert_true(proc_ok(&r) && r.out.len == 0);
    proc_result_free(&r);
    sh("cat", (struct proc_spec){0}, &r); /* nothing to wait for, whatever ours is */
    assert_true(proc_ok(&r) && r.out.len == 0);
    proc_result_free(&r);
}

static void set_umask(void *arg)
{
    umask(*(const mode_t *)arg);
}

TEST(surroundings)
{
    char *env[] = {(char[]){"ONLY=this"}, NULL};
    struct proc_result r;
    mode_t mask = 0125;
    setenv("TEST_PROC_SEEN", "yes", 1);
    sh("echo $ONLY $TEST_PROC_SEEN; pwd; umask",
       (struct proc_spec){.env = env, .cwd = "/usr", .prepare = set_umask, .prepare_arg = &mask},
       &r);
    assert_string_equal(r.out.s, "this\n/usr\n0125\n");
    proc_result_free(&r);
    sh("echo $TEST_PROC_SEEN", (struct proc_spec){0}, &r);
    assert_string_equal(r.out.s, "yes\n");
    proc_result_free(&r);

    /* Words are passed as they are. */
    char *argv[] = {(char[]){"printf"}, (char[]){"%s|"}, (char[]){"$(echo x); * 'y'"},
                    (char[]){""},       (char[]){"-n"},  NULL};
    struct proc_spec spec = {.argv = argv, .output_max = 100};
    assert_int_equal(proc_run(&spec, &r, NULL), 0);
    assert_string_equal(r.out.s, "$(echo x); * 'y'||-n|");
    proc_result_free(&r);

    /* What this process blocks or ignores is no concern of the other. */
    sigset_t block, old;
    sigemptyset(&block);
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &old);
    sh("kill -TERM $$; echo alive", (struct proc_spec){0}, &r);
    sigprocmask(SIG_SETMASK, &old, NULL);
    assert_true(WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGTERM);
    proc_result_free(&r);
}

TEST(which)
{
    put("a/tool", "", 0644); /* cannot be run */
    put("b/tool", "", 0755);
    put("c/tool", "", 0755);
    OWNED char *path = xstrdup(getenv("PATH")),
               *here = xasprintf(":%s/a::%s/b:%s/c:", test_dir, test_dir, test_dir);
    OWNED char *want = at("b/tool"), *plain = at("a/tool");
    setenv("PATH", here, 1);
    const struct {
        const char *name, *found;
    } table[] = {
        {"tol", NULL}, {"TOOL", NULL}, {plain, NULL}, {"./tool", NULL},
        {"sh", NULL},  {"tool", want}, {want, want},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *found = proc_which(table[i].name);
        if (found ? !table[i].found || strcmp(found, table[i].found) != 0 : !!table[i].found)
            fail_msg("%s: %s", table[i].name, found ? found : "not found");
    }
    setenv("PATH", "", 1);
    assert_null(proc_which("sh"));
    proc_default_path();
    assert_null(proc_which("sh"));
    unsetenv("PATH");
    assert_null(proc_which("sh"));
    proc_default_path();
    OWNED char *found = proc_which("sh");
    assert_non_null(found);
    setenv("PATH", path, 1);
}

TEST(a_growing_vector)
{
    struct proc_argv v = {0};
    char text[8];
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "%d", i);
        proc_argv_push(&v, xstrdup(text));
        assert_int_equal(v.count, i + 1);
        assert_string_equal(v.word[i], text);
        assert_null(v.word[i + 1]);
    }
    assert_string_equal(v.word[0], "0");
    proc_argv_free(v.word);
}

TEST(splitting)
{
    static const struct {
        const char *line, *words[5];
    } table[] = {
        {"", {NULL}},
        {" \t\n ", {NULL}},
        {"gcc", {"gcc"}},
        {"  gcc\t-O2\n  x.c ", {"gcc", "-O2", "x.c"}},
        {"a 'b c' \"$d\" *", {"a", "'b", "c'", "\"$d\"", "*"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED_TEXTS char **argv = proc_argv_split(table[i].line);
        size_t n = 0;
        for (; n < 5 && table[i].words[n]; n++) {
            assert_non_null(argv[n]);
            assert_string_equal(argv[n], table[i].words[n]);
        }
        assert_null(argv[n]);
    }
    proc_argv_free(NULL);
}

/* Somebody up the tree may have set it, and exec keeps it. */
TEST(sigchld_ignored)
{
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 3"}, NULL};
    struct proc_spec spec = {.argv = argv, .output_max = 10};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    struct err e = ERR_INIT;
    signal(SIGCHLD, SIG_IGN);
    int rc = proc_run(&spec, &r, &e);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(rc, -1);
    assert_non_null(strstr(e.text, "exit status is lost"));
}

TEST(when_a_process_started)
{
    assert_true(proc_start_time((long)getpid()) > 0);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_true(child > 0);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(proc_start_time((long)child), 0); /* a zombie */
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(proc_start_time((long)child), 0); /* gone */
}

TESTS_WITH(count_descriptors, nothing_is_left, test_dir_make, remove_dir)
