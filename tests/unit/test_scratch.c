/* Scratch directories: of the living they are kept, of the dead they are removed. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "supervise/scratch.h"

#include "test_dir.h"

static void make(const char *name, bool lock)
{
    OWNED char *dir = at(name), *file = xasprintf("%s/.paragrade-scratch", dir);
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    if (lock)
        assert_int_equal(fs_write_atomic(file, "", 0, NULL), 0);
}

static int fresh(void **arg)
{
    fs_remove_tree(test_dir, NULL);
    setenv("TMPDIR", test_dir, 1);
    return fs_mkdirs(test_dir, NULL);
}

static void create(struct scratch *s)
{
    struct err e = ERR_INIT;
    if (scratch_create(s, &e) != 0)
        fail_msg("%s", e.text);
}

/* --- one's own -------------------------------------------------------------------------------- */

TEST(bad_places)
{
    OWNED char *file = at("file"), *gone = at("gone");
    OWNED char *deep = at("a-name-so-long-that-no-socket-fits-below-this-directory-any-more");
    assert_int_equal(fs_write_atomic(file, "", 0, NULL), 0);
    assert_int_equal(fs_mkdirs(deep, NULL), 0);
    const char *const table[] = {NULL, "", "relative", ".", gone, deep};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct scratch s;
        if (table[i])
            setenv("TMPDIR", table[i], 1);
        else
            unsetenv("TMPDIR");
        create(&s);
        if (strncmp(s.dir, "/tmp/paragrade-", 15) != 0)
            fail_msg("row %zu: %s", i, s.dir);
        scratch_remove(&s);
    }
}

TEST(created_and_removed)
{
    struct scratch s, other;
    struct stat st;
    create(&s);
    create(&other); /* and leaves the first alone */
    assert_string_not_equal(s.dir, other.dir);
    assert_memory_equal(s.dir, test_dir, strlen(test_dir));
    assert_true(strlen(s.dir) < 80);
    assert_int_equal(stat(s.dir, &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(st.st_mode & 0777, 0700);
    if (s.shm) {
        assert_int_equal(stat(s.shm, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0700);
        assert_memory_equal(s.shm, "/dev/shm/", 9);
    }
    OWNED char *dir = xstrdup(s.dir), *shm = s.shm ? xstrdup(s.shm) : NULL;
    OWNED char *left = xasprintf("%s/left", s.dir);
    assert_int_equal(fs_mkdirs(left, NULL), 0);
    assert_int_equal(chmod(left, 0), 0);
    scratch_remove(&s);
    assert_false(fs_exists(dir));
    assert_false(shm && fs_exists(shm));
    assert_true(fs_is_dir(other.dir));
    assert_null(s.dir);
    assert_null(s.shm);
    scratch_remove(&s); /* harmless */
    scratch_remove(&other);
}

/* --- others' ---------------------------------------------------------------------------------- */

TEST(not_to_be_touched)
{
    /* Is just being created; or is old and somebody else's, by the same user. */
    make("paragrade-without-lock", false);
    OWNED char *unlocked = at("paragrade-without-lock");
    const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, unlocked, long_ago, 0), 0);
    make("other", true);
    make("Paragrade-x", true);
    make("outside", true);
    make("paragrade-linked-lock", false);
    make("paragrade-old", true);
    OWNED char *file = at("paragrade-file"), *link = at("paragrade-link"),
               *old = at("paragrade-old");
    OWNED char *lock = at("paragrade-linked-lock/.paragrade-scratch"),
               *tree = at("paragrade-old/a/b");
    assert_int_equal(fs_write_atomic(file, "", 0, NULL), 0);
    assert_int_equal(symlink("outside", link), 0);
    assert_int_equal(symlink("../outside/.paragrade-scratch", lock), 0);
    assert_int_equal(fs_mkdirs(tree, NULL), 0);
    if (geteuid() == 0) { /* only root can make what belongs to somebody else */
        make("paragrade-foreign", true);
        OWNED char *foreign = at("paragrade-foreign");
        assert_int_equal(chown(foreign, 65534, 65534), 0);
    }
    struct scratch s;
    create(&s);
    static const char *const kept[] = {"paragrade-without-lock",
                                       "other/.paragrade-scratch",
                                       "Paragrade-x/.paragrade-scratch",
                                       "outside/.paragrade-scratch",
                                       "paragrade-linked-lock",
                                       "paragrade-file",
                                       "paragrade-link",
                                       "paragrade-foreign/.paragrade-scratch"};
    for (size_t i = 0; i < (geteuid() == 0 ? 8 : 7); i++) {
        OWNED char *path = at(kept[i]);
        if (!fs_exists(path))
            fail_msg("%s is gone", kept[i]);
    }
    assert_false(fs_exists(old));
    scratch_remove(&s);
}

struct paths {
    char dir[100], shm[100];
};

/* Another proctor, in the midst of its work: it has a scratch directory with things in it, and a
 * child that runs a program. The pipe's end is closed when it is dead and the program runs. */
static pid_t start_owner(struct paths *p, pid_t *child, int *over)
{
    int tell[2];
    assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct scratch s;
        if (scratch_create(&s, NULL) != 0)
            _exit(1);
        OWNED char *below = xasprintf("%s/unit/src", s.dir);
        if (fs_mkdirs(below, NULL) != 0)
            _exit(1);
        snprintf(p->dir, sizeof p->dir, "%s", s.dir);
        snprintf(p->shm, sizeof p->shm, "%s", s.shm ? s.shm : "");
        pid_t program = fork();
        if (program == 0) {
            execlp("sleep", "sleep", "100", (char *)NULL);
            _exit(127);
        }
        if (write(tell[1], p, sizeof *p) != sizeof *p ||
            write(tell[1], &program, sizeof program) != sizeof program)
            _exit(1);
        for (;;)
            pause();
    }
    close(tell[1]);
    assert_int_equal(read(tell[0], p, sizeof *p), sizeof *p);
    assert_int_equal(read(tell[0], child, sizeof *child), sizeof *child);
    *over = tell[0];
    return pid;
}

TEST(killed_and_living)
{
    struct paths p;
    pid_t program, owner;
    int over;
    char c;
    owner = start_owner(&p, &program, &over);
    struct scratch s, next;
    create(&s);
    OWNED char *inside = xasprintf("%s/unit/src", p.dir);
    bool kept = fs_is_dir(inside) && (!p.shm[0] || fs_is_dir(p.shm));
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    ssize_t end = read(over, &c, 1);
    create(&next);
    kill(program, SIGKILL);
    assert_int_equal(end, 0);
    assert_true(kept);
    assert_false(fs_exists(p.dir));
    assert_false(p.shm[0] && fs_exists(p.shm));
    assert_true(fs_is_dir(s.dir));
    scratch_remove(&s);
    scratch_remove(&next);
    close(over);
}

/* Many begin and end at the same time: nobody's directory is swept away, and none is left. */
TEST(crowd)
{
    enum { CROWD = 6, TIMES = 150 };
    pid_t pid[CROWD];
    fflush(NULL);
    for (int i = 0; i < CROWD; i++) {
        pid[i] = fork();
        if (pid[i] != 0)
            continue;
        int bad = 0;
        for (int k = 0; k < TIMES && !bad; k++) {
            struct scratch s;
            bad = scratch_create(&s, NULL) != 0 || access(s.dir, W_OK) != 0 ||
                  (s.shm && access(s.shm, W_OK) != 0);
            scratch_remove(&s);
        }
        _exit(bad);
    }
    for (int i = 0; i < CROWD; i++) {
        int status = -1;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
}

TESTS_WITH(fresh, NULL, test_dir_make, test_dir_remove)
