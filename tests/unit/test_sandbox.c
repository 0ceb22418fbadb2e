/* What a process in the sandbox can still reach: each question is asked in a child that entered. */
#include "unit.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/protection.h"
#include "supervise/readable.h"
#include "supervise/sandbox.h"

#include "test_dir.h"

static struct sandbox_policy policy; /* of every sandbox here */

/* In a child inside the domain: the status that f returns. */
static int inside_policy(const struct sandbox_policy *p, const struct sandbox_spec *wanted,
                         int (*f)(const void *), const void *arg)
{
    struct sandbox_spec spec = *wanted;
    spec.policy = p;
    int fd = sandbox_prepare(&spec), status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(sandbox_enter(fd, 0) != 0 ? 99 : f(arg));
    close(fd);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 99);
    return WEXITSTATUS(status);
}

/* It is the same whether or not the policy keeps opened what all may read. */
static int inside(const struct sandbox_spec *wanted, int (*f)(const void *), const void *arg)
{
    struct sandbox_policy kept = policy;
    kept.readable = NULL;
    const int status = inside_policy(&kept, wanted, f, arg);
    sandbox_policy_keep(&kept);
    assert_non_null(kept.readable);
    assert_int_equal(inside_policy(&kept, wanted, f, arg), status);
    readable_close(kept.readable);
    return status;
}

static int can_read(const void *path)
{
    return open(path, O_RDONLY) >= 0;
}

static int can_write(const void *path)
{
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

static void needs_landlock(void)
{
    if (protection_landlock_version() < 1) {
        print_message("no Landlock here\n");
        skip();
    }
}

TEST(only_what_is_given)
{
    needs_landlock();
    OWNED char *own = at("own"), *foreign = at("foreign");
    put_at("own/file", "x");
    put_at("foreign/file", "x");
    const char *readable[] = {own, NULL}, *writable[] = {foreign, NULL};
    OWNED char *own_file = at("own/file"), *foreign_file = at("foreign/file");
    const struct sandbox_spec none = {0}, reads = {.readable = readable},
                              writes = {.writable = writable};
    assert_false(inside(&none, can_read, own_file));
    assert_true(inside(&reads, can_read, own_file));
    assert_false(inside(&reads, can_write, own_file));
    assert_false(inside(&reads, can_read, foreign_file));
    assert_true(inside(&writes, can_write, foreign_file));
    assert_true(inside(&none, can_read, "/usr/bin/env"));
    assert_true(inside(&none, can_read, "/etc/passwd"));
    assert_false(inside(&none, can_read, "/etc/shadow"));
    assert_false(inside(&none, can_read, "/proc/1/environ"));
    assert_false(inside(&none, can_write, "/proc/self/comm"));
}

/* A course that is kept beside its tools: PREFIX/bin on PATH opens the toolchain, not the rest. */
TEST(toolchains)
{
    needs_landlock();
    static const struct {
        const char *file;
        int readable;
    } table[] = {
        {"sw/bin/gcc", 1},
        {"sw/lib/libc.so", 1},
        {"sw/lib64/libc.so", 1},
        {"sw/include/stdio.h", 1},
        {"sw/x86_64-linux-gnu/bin/ld", 1},
        {"sw/reports/r/plan.json", 0},
        {"sw/roster.csv", 0},
        {"home/bin/tool", 1},
        {"home/lib/thesis.tex", 0},
    };
    OWNED char *before = xstrdup(getenv("PATH")),
               *was_home = getenv("HOME") ? xstrdup(getenv("HOME")) : 0;
    OWNED char *path = xasprintf("%s/sw/bin:%s/home/bin:relative:/nowhere/bin://bin:%s", test_dir,
                                 test_dir, before);
    OWNED char *home = at("home");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        put_at(table[i].file, "x");
    put_at("home/bin/tool", "x");
    setenv("PATH", path, 1);
    setenv("HOME", home, 1);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *file = at(table[i].file);
        if (inside(&(struct sandbox_spec){0}, can_read, file) != table[i].readable)
            fail_msg("%s: %s", table[i].file, table[i].readable ? "closed" : "open");
    }
    setenv("PATH", before, 1);
    if (was_home)
        setenv("HOME", was_home, 1);
    else
        unsetenv("HOME");
}

TEST(withheld)
{
    needs_landlock();
    put_at("opt/lib/reference/simd.c", "x");
    put_at("opt/lib/libx.so", "x");
    put_at("opt/lib/other/y", "x");
    OWNED char *bin = at("opt/bin"), *before = xstrdup(getenv("PATH")),
               *secret = at("opt/lib/reference");
    assert_int_equal(fs_mkdirs(bin, NULL), 0);
    OWNED char *path = xasprintf("%s:%s", bin, before);
    setenv("PATH", path, 1);
    OWNED char *simd = at("opt/lib/reference/simd.c"), *beside = at("opt/lib/libx.so"),
               *below = at("opt/lib/other/y");
    assert_true(inside(&(struct sandbox_spec){0}, can_read, simd));
    sandbox_withhold(&policy, "/nowhere");
    sandbox_withhold(&policy, secret);
    assert_false(inside(&(struct sandbox_spec){0}, can_read, simd));
    assert_true(inside(&(struct sandbox_spec){0}, can_read, beside));
    assert_true(inside(&(struct sandbox_spec){0}, can_read, below));
    const char *readable[] = {secret, NULL};
    assert_true(inside(&(struct sandbox_spec){.readable = readable}, can_read, simd));
    sandbox_policy_free(&policy);
    assert_true(inside(&(struct sandbox_spec){0}, can_read, simd));
    setenv("PATH", before, 1);
}

/* /etc has a rule for each entry, and most entries get it without being resolved. */
TEST(withheld_settings)
{
    needs_landlock();
    sandbox_withhold(&policy, "/etc/passwd");
    assert_false(inside(&(struct sandbox_spec){0}, can_read, "/etc/passwd"));
    assert_true(inside(&(struct sandbox_spec){0}, can_read, "/etc/group"));
    assert_false(inside(&(struct sandbox_spec){0}, can_read, "/etc/shadow"));
    sandbox_policy_free(&policy);
    sandbox_withhold(&policy, "/etc");
    assert_false(inside(&(struct sandbox_spec){0}, can_read, "/etc/group"));
    sandbox_policy_free(&policy);
}

static void put(const char *path, const char *text)
{
    struct err e = ERR_INIT;
    assert_int_equal(fs_write_atomic(path, text, strlen(text), &e), 0);
    assert_int_equal(chmod(path, 0644), 0);
}

/* Files of /etc are replaced while a proctor runs, and others come. */
TEST(settings_replaced)
{
    needs_landlock();
    const struct sandbox_spec none = {0};
    FREED_BY(sandbox_policy_free) struct sandbox_policy p = {0};
    if (unshare(CLONE_NEWNS) != 0) /* only root can */
        skip();
    assert_int_equal(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    assert_int_equal(mount("none", "/etc", "tmpfs", 0, "mode=0755"), 0);
    put("/etc/passwd", "old");
    sandbox_policy_keep(&p);
    assert_true(inside_policy(&p, &none, can_read, "/etc/passwd"));
    put("/etc/passwd", "new");
    put("/etc/group", "new");
    assert_true(inside_policy(&p, &none, can_read, "/etc/passwd"));
    assert_true(inside_policy(&p, &none, can_read, "/etc/group"));
    sandbox_withhold(&p, "/etc/group");
    assert_null(p.readable);
    assert_false(inside_policy(&p, &none, can_read, "/etc/group"));
    sandbox_policy_keep(&p);
    assert_false(inside_policy(&p, &none, can_read, "/etc/group"));
}

static int privileged(const void *unused)
{
    (void)unused;
    struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    if (syscall(SYS_capget, &h, d) != 0)
        return 1;
    return (d[0].effective | d[0].permitted | d[0].inheritable | d[1].permitted) != 0;
}

static int is_first_to_go(const void *unused)
{
    (void)unused;
    char text[16] = "";
    int fd = open("/proc/self/oom_score_adj", O_RDONLY);
    return read(fd, text, sizeof text - 1) > 0 && atoi(text) == 1000;
}

TEST(nothing_left)
{
    assert_false(inside(&(struct sandbox_spec){0}, privileged, NULL));
    assert_true(inside(&(struct sandbox_spec){0}, is_first_to_go, NULL));
}

/* What a node must have around every compiler and driver, and what it has. */
TEST(required)
{
    const unsigned landlock = PROTECTION_BIT(PROTECTION_LANDLOCK),
                   filter = PROTECTION_BIT(PROTECTION_SECCOMP);
    const struct sandbox_policy none = {0}, both = {.required = landlock | filter, .node = "n7"};
    static const struct {
        const char *name;
        bool any; /* is required */
        unsigned which, have;
        bool enough;
    } table[] = {
        {"nothing is required", false, ~0U, 0, true},
        {"all is there", true, ~0U, ~0U, true},
        {"nothing is there", true, ~0U, 0, false},
        {"what is lacking is not asked for", true, 0, 0, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        int rc = sandbox_check(table[i].any ? &both : &none, table[i].which, table[i].have, &e);
        if ((rc == 0) != table[i].enough)
            fail_msg("%s: %d", table[i].name, rc);
        if (rc != 0 && !strstr(e.text, "n7"))
            fail_msg("%s: %s", table[i].name, e.text);
    }
}

/* The first that the kernel kills, with an account without privileges as well. Such a child of the
 * proctor cannot write its own files in /proc just so. */
TEST(out_of_memory)
{
    static const struct {
        unsigned how;
        int score;
    } table[] = {{0, 1000}, {SANDBOX_OF_GRADER, 500}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            char text[16] = "";
            if (geteuid() == 0 && setuid(65534) != 0)
                _exit(1);
            prctl(PR_SET_DUMPABLE, 0);
            int fd = sandbox_enter(-1, table[i].how) == 0
                         ? open("/proc/self/oom_score_adj", O_RDONLY)
                         : -1;
            _exit(fd >= 0 && read(fd, text, sizeof text - 1) > 0 && atoi(text) == table[i].score
                      ? 0
                      : 2);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
}

TESTS(test_dir_make, test_dir_remove)
