/* The network and the files of one start of a launcher: what they hold is counted, from outside.
 * What drivers must not see. */
#include "unit.h"

#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "supervise/hidden_dirs.h"
#include "supervise/own_files.h"
#include "test_dir.h"

enum { MIB = 1 << 20, HOME_MOST = 8 * MIB };

static void needs_namespaces(void)
{
    if (!namespaces_possible()) {
        print_message("no namespaces here\n");
        skip();
    }
}

/* In the child: 2 MiB in a file without a name, in a deep directory, and ten empty files. */
static void fill(const struct own_files *f)
{
    static char block[2 * MIB];
    char name[2] = "a";
    if (chdir(f->home) != 0)
        _exit(1);
    for (int i = 0; i < 50; i++)
        if (mkdir("d", 0700) != 0 || chdir("d") != 0)
            _exit(2);
    const int fd = open("x", O_RDWR | O_CREAT, 0600);
    if (unlink("x") != 0 || write(fd, block, sizeof block) != (ssize_t)sizeof block)
        _exit(3);
    for (; name[0] < 'k'; name[0]++)
        close(open(name, O_RDWR | O_CREAT, 0600));
}

/* Start a child in namespaces that has filled its files and waits. */
static pid_t start(const struct own_files *f, int ready)
{
    struct namespaces n;
    namespaces_prepare(&n);
    pid_t pid = fork();
    if (pid == 0) {
        if (namespaces_enter(&n, true) != 0 || own_files_mount(f) != 0)
            _exit(4);
        fill(f);
        ssize_t ignored = write(ready, "x", 1);
        (void)ignored;
        pause();
    }
    return pid;
}

TEST(what_is_held)
{
    FREED_BY(own_files_free) struct own_files f = {0};
    struct files_held home, shm;
    char byte;
    int ready[2], status;
    needs_namespaces();
    own_files_make(&f, test_dir, HOME_MOST, MIB);
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = start(&f, ready[1]);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_true(own_files_held(f.home, pid, &home));
    assert_true(own_files_held(f.shm, pid, &shm));
    assert_in_range(home.bytes, 2 * MIB, 3 * MIB);
    assert_in_range(home.files, 60, 65);
    assert_in_range(shm.bytes, 0, MIB / 2);
    assert_in_range(shm.files, 0, 2);
    /* Others see nothing of it. */
    struct files_held outside;
    assert_false(own_files_held(f.home, getpid(), &outside));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_false(own_files_held(f.home, pid, &home));
    assert_int_equal(home.bytes, 0);
    assert_int_equal(rmdir(f.home), 0);
    assert_int_equal(rmdir(f.shm), 0);
}

TEST(only_the_loopback_device)
{
    struct namespaces n;
    int status;
    needs_namespaces();
    namespaces_prepare(&n);
    pid_t pid = fork();
    if (pid == 0) {
        if (namespaces_enter(&n, true) != 0)
            _exit(1);
        struct if_nameindex *all = if_nameindex();
        for (int i = 0; all && all[i].if_name; i++)
            if (strcmp(all[i].if_name, "eth0") == 0 || strncmp(all[i].if_name, "en", 2) == 0)
                _exit(2);
        _exit(all && strcmp(all[0].if_name, "lo") == 0 ? 0 : 3);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* What is withheld, but for what lies in another one, or holds what is needed. */
TEST(hidden_choice)
{
    static const char *const withheld[] = {"class", "class/ann", "runs/r", "runs", "file", "near"};
    static const char *const hidden[] = {"class", "runs/r", "near"};
    FREED_BY(sandbox_policy_free) struct sandbox_policy p = {0};
    unsigned n;
    put_at("class/ann/a.c", "");
    put_at("class2/a.c", "");
    put_at("runs/r/a.c", "");
    put_at("runs/scratch/x", "");
    put_at("near/x", "");
    put_at("file", "");
    for (size_t i = 0; i < sizeof withheld / sizeof withheld[0]; i++) {
        OWNED char *path = at(withheld[i]);
        sandbox_withhold(&p, path);
    }
    OWNED char *scratch = at("runs/scratch"), *other = at("nearby");
    const char *const used[] = {scratch, NULL, other};
    char **dirs = hidden_dirs_choose(&p, used, 3, &n);
    assert_int_equal(n, sizeof hidden / sizeof hidden[0]);
    assert_null(dirs[n]);
    for (unsigned i = 0; i < n; i++)
        assert_string_equal(dirs[i] + strlen(dirs[i]) - strlen(hidden[i]), hidden[i]);
    texts_free(dirs, n);
}

TEST(hidden_files)
{
    struct namespaces n;
    struct stat st;
    int status;
    needs_namespaces();
    put_at("class/a.c", "int a;");
    OWNED char *gone = at("gone"), *dir = at("class"), *file = at("class/a.c");
    char *const dirs[] = {gone, dir, NULL};
    namespaces_prepare(&n);
    pid_t pid = fork();
    if (pid == 0) {
        if (namespaces_enter(&n, false) != 0 || stat(file, &st) != 0 ||
            hidden_dirs_cover(dirs) != 0)
            _exit(1);
        _exit(stat(file, &st) != 0 && stat(dir, &st) == 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(stat(file, &st), 0); /* nobody else is concerned */
}

TESTS(test_dir_make, test_dir_remove)
