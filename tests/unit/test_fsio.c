/* Whole files and trees, also those that somebody made to do harm. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"

static char dir[64];

static int setup(void **arg)
{
    snprintf(dir, sizeof dir, "/tmp/paragrade-test-fsio-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **arg)
{
    return fs_remove_tree(dir, NULL);
}

/* A path in the test's directory; valid until the fourth call after this one. */
static const char *at(const char *name)
{
    static char paths[4][400];
    static unsigned turn;
    char *p = paths[turn++ % 4];
    snprintf(p, sizeof paths[0], "%s/%s", dir, name);
    return p;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(at(name), "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static size_t names_in(const char *path)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    assert_int_equal(fs_list(path, &names, &n, NULL), 0);
    return n;
}

static void make_socket(const char *name)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    snprintf(addr.sun_path, sizeof addr.sun_path, "%s", at(name));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
    close(fd);
}

/* --- reading and copying ---------------------------------------------------------------------- */

TEST(not_to_be_read)
{
    put("file", "12345678");
    assert_int_equal(mkfifo(at("fifo"), 0600), 0);
    assert_int_equal(mkdir(at("directory"), 0700), 0);
    assert_int_equal(symlink("loop", at("loop")), 0);
    assert_int_equal(symlink("nowhere", at("dangling")), 0);
    make_socket("socket");
    char long_name[300];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    const struct {
        const char *name;
        size_t max;
        const char *says;
    } table[] = {
        {"missing", 100, "No such file"},
        {"missing/file", 100, "No such file"},
        {"file/below", 100, "Not a directory"},
        {"fifo", 100, "not a regular file"},
        {"directory", 100, "not a regular file"},
        {"loop", 100, "symbolic link"},
        {"dangling", 100, "No such file"},
        {"socket", 100, ""},
        {long_name, 100, "too long"},
        {"file", 7, "larger than 7 bytes"},
        {"file", 0, "larger than 0 bytes"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        char *data = (char *)&e;
        if (fs_read(at(table[i].name), table[i].max, &data, NULL, &e) != -1)
            fail_msg("%s: was read", table[i].name);
        if (e.kind != ERR_INPUT || !strstr(e.text, at(table[i].name)) ||
            !strstr(e.text, table[i].says))
            fail_msg("%s: kind %d, '%s'", table[i].name, e.kind, e.text);
        assert_null(data);
        if (tree_copy(dir, table[i].name, at("copy"), table[i].max, &e) != -1)
            fail_msg("%s: was copied", table[i].name);
        assert_false(fs_exists(at("copy")));
    }
    struct err e = ERR_INIT;
    char *data;
    assert_int_equal(fs_read("/dev/zero", 100, &data, NULL, &e), -1); /* and does not read on */
    assert_int_equal(fs_read("", 100, &data, NULL, &e), -1);
}

TEST(no_permission)
{
    if (geteuid() == 0) {
        print_message("as root every file can be read\n");
        skip();
    }
    struct err e = ERR_INIT;
    char *data;
    put("secret", "x");
    chmod(at("secret"), 0);
    assert_int_equal(fs_read(at("secret"), 10, &data, NULL, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_non_null(strstr(e.text, "Permission denied"));
    mkdir(at("closed"), 0500);
    assert_int_equal(fs_write_atomic(at("closed/f"), "x", 1, &e), -1);
    assert_int_equal(e.kind, ERR_SYSTEM);
}

TEST(reads_all)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 1000003};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *text = xcalloc(sizes[i] + 1, 1), *data;
        for (size_t k = 0; k < sizes[i]; k++)
            text[k] = (char)(k * 7 % 251); /* NULs among them */
        size_t len = 99;
        assert_int_equal(
            (i % 2 ? fs_write_atomic : fs_write_unsynced)(at("file"), text, sizes[i], NULL), 0);
        assert_int_equal(fs_read(at("file"), sizes[i], &data, &len, NULL), 0);
        assert_int_equal(len, sizes[i]);
        assert_memory_equal(data, text, len);
        assert_int_equal(data[len], '\0');
        free(data);
        assert_int_equal(tree_copy(dir, "file", at("copy"), sizes[i], NULL), 0);
        assert_int_equal(fs_read(at("copy"), sizes[i], &data, &len, NULL), 0);
        assert_int_equal(len, sizes[i]);
        assert_memory_equal(data, text, len);
        free(data);
        free(text);
    }
    OWNED char *data = NULL;
    symlink("file", at("link")); /* may be read, as a roster is; is never copied, as sources are */
    assert_int_equal(fs_read(at("link"), 2000000, &data, NULL, NULL), 0);
    struct err e = ERR_INIT;
    assert_int_equal(tree_copy(dir, "link", at("copy2"), 2000000, &e), -1);
    assert_non_null(strstr(e.text, "is a symbolic link"));
    assert_int_equal(e.kind, ERR_INPUT);
}

/* A hard link may lead to a file that its maker cannot even read: the grader could. */
TEST(hard_links)
{
    if (geteuid() != 0) {
        print_message("only root can give files away\n");
        skip();
    }
    enum { STUDENT = 12345, SOMEBODY = 12346 };
    static const struct {
        const char *name;
        uid_t directory, file;
        bool linked, taken;
    } table[] = {
        {"another's", STUDENT, SOMEBODY, true, false},
        {"root's", STUDENT, 0, true, false},
        {"a student's where somebody else collects", SOMEBODY, STUDENT, true, false},
        {"one's own", STUDENT, STUDENT, true, true},
        {"another's, and nowhere else", STUDENT, SOMEBODY, false, true},
        {"one's own, and nowhere else", STUDENT, STUDENT, false, true},
    };
    put("elsewhere", "secret");
    mkdir(at("theirs"), 0700);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        if (table[i].linked)
            assert_int_equal(link(at("elsewhere"), at("theirs/f.c")), 0);
        else
            put("theirs/f.c", "mine");
        assert_int_equal(chown(at("theirs"), table[i].directory, (gid_t)-1), 0);
        assert_int_equal(chown(at("theirs/f.c"), table[i].file, (gid_t)-1), 0);
        int rc = tree_copy(dir, "theirs/f.c", at("copy"), 100, &e);
        if ((rc == 0) != table[i].taken || fs_exists(at("copy")) != table[i].taken)
            fail_msg("%s: %d, '%s'", table[i].name, rc, e.text);
        if (rc != 0 && (e.kind != ERR_INPUT || !strstr(e.text, "copy it instead of linking it")))
            fail_msg("%s: kind %d, '%s'", table[i].name, e.kind, e.text);
        unlink(at("theirs/f.c"));
        unlink(at("copy"));
    }
}

/* --- writing ---------------------------------------------------------------------------------- */

TEST(failed_writes_leave_nothing)
{
    struct err e = ERR_INIT;
    assert_int_equal(fs_write_atomic(at("missing/f"), "x", 1, &e), -1);
    assert_int_equal(e.kind, ERR_SYSTEM);
    assert_non_null(strstr(e.text, "missing/f: cannot create: No such file"));
    mkdir(at("directory"), 0700);
    put("directory/file", "");
    assert_int_equal(fs_write_atomic(at("directory"), "x", 1, &e), -1);
    assert_non_null(strstr(e.text, "directory"));
    assert_int_equal(fs_write_unsynced(at("missing/f"), "x", 1, &e), -1);
    assert_int_equal(fs_write_unsynced(at("directory"), "x", 1, &e), -1);
    assert_int_equal(fs_sync(at("missing"), &e), -1);
    assert_non_null(strstr(e.text, "missing"));
    assert_int_equal(fs_sync(dir, NULL), 0);
    assert_int_equal(fs_publish_once(at("missing/f"), "x", 1, &e), -1);
    assert_int_equal(fs_publish_once(at("directory"), "x", 1, &e), 1); /* there is one already */
    assert_int_equal(names_in(dir), 1);
}

/* As on a full disk. */
TEST(write_that_fails_half_way)
{
    put("file", "old");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        static char big[200000];
        struct rlimit r = {100000, 100000};
        struct err e = ERR_INIT;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &r);
        int bad = 0;
        bad |= fs_write_atomic(at("file"), big, sizeof big, &e) != -1;
        bad |= (e.kind != ERR_SYSTEM || !strstr(e.text, "cannot write")) << 1;
        bad |= (fs_publish_once(at("other"), big, sizeof big, NULL) != -1) << 2;
        _exit(bad);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    OWNED char *data = NULL;
    assert_int_equal(fs_read(at("file"), 100, &data, NULL, NULL), 0);
    assert_string_equal(data, "old");
    assert_int_equal(names_in(dir), 1);
}

TEST(replaces)
{
    char *data;
    struct stat st;
    put("target", "outside");
    symlink("target", at("link"));
    assert_int_equal(fs_write_atomic(at("link"), "new", 3, NULL), 0);
    assert_int_equal(lstat(at("link"), &st), 0);
    assert_true(S_ISREG(st.st_mode)); /* the link itself is replaced, not what it points to */
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(fs_read(at("target"), 100, &data, NULL, NULL), 0);
    assert_string_equal(data, "outside");
    free(data);
    assert_int_equal(fs_write_atomic(at("link"), NULL, 0, NULL), 0);
    assert_int_equal(fs_read(at("link"), 100, &data, NULL, NULL), 0);
    assert_string_equal(data, "");
    free(data);
    assert_int_equal(names_in(dir), 2);
}

/* A reader sees the old file or the new one, whole. */
TEST(readers_see_whole_files)
{
    enum { SIZE = 300000 };
    OWNED char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, 'a', SIZE);
    assert_int_equal(fs_write_atomic(at("file"), text, SIZE, NULL), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(30);
        for (int i = 0; i < 1000000; i++) {
            memset(text, 'a' + i % 26, SIZE);
            if (fs_write_atomic(at("file"), text, SIZE, NULL) != 0)
                _exit(1);
        }
        _exit(0);
    }
    for (int i = 0; i < 200; i++) {
        OWNED char *data = NULL;
        size_t len;
        assert_int_equal(fs_read(at("file"), SIZE, &data, &len, NULL), 0);
        assert_int_equal(len, SIZE);
        memset(text, data[0], SIZE);
        assert_memory_equal(data, text, SIZE);
    }
    kill(pid, SIGKILL);
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* However many try at once, one is first, and its text stays. */
/* Who is told to end in the middle of it leaves no temporary. */
TEST(ended_while_writing)
{
    for (int round = 0; round < 40; round++) {
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            signal(SIGTERM, SIG_DFL);
            for (;;)
                (void)(fs_write_atomic(at("written"), "text", 4, NULL) == 0 &&
                       fs_publish_once(at("published"), "text", 4, NULL) == 0);
        }
        usleep((useconds_t)(3000 + 100 * round));
        kill(pid, SIGTERM);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));
    }
    OWNED_TEXTS char **names = NULL;
    size_t n;
    assert_int_equal(fs_list(dir, &names, &n, NULL), 0);
    for (size_t i = 0; i < n; i++)
        assert_null(strstr(names[i], ".tmp-"));
    unlink(at("written"));
    unlink(at("published"));
}

TEST(first_writer_wins)
{
    enum { WRITERS = 8, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        pid_t pids[WRITERS];
        int start[2];
        char name[32];
        snprintf(name, sizeof name, "unit-%d.json", round);
        assert_int_equal(pipe(start), 0);
        fflush(NULL);
        for (int w = 0; w < WRITERS; w++) {
            pids[w] = fork();
            if (pids[w] == 0) {
                char text[64], c;
                int n = snprintf(text, sizeof text, "written by %d", w);
                close(start[1]);
                (void)!read(start[0], &c, 1); /* all go when the other end is closed */
                _exit(fs_publish_once(at(name), text, (size_t)n, NULL) & 0xff);
            }
        }
        close(start[0]);
        close(start[1]);
        int winner = -1;
        for (int w = 0; w < WRITERS; w++) {
            int status;
            waitpid(pids[w], &status, 0);
            assert_true(WIFEXITED(status));
            assert_in_range(WEXITSTATUS(status), 0, 1);
            if (WEXITSTATUS(status) == 0) {
                assert_int_equal(winner, -1);
                winner = w;
            }
        }
        assert_in_range(winner, 0, WRITERS - 1);
        char *data, want[64];
        snprintf(want, sizeof want, "written by %d", winner);
        assert_int_equal(fs_read(at(name), 100, &data, NULL, NULL), 0);
        assert_string_equal(data, want);
        free(data);
    }
    assert_int_equal(names_in(dir), ROUNDS); /* no temporaries */
}

/* --- directories ------------------------------------------------------------------------------ */

TEST(directories)
{
    put("file", "");
    symlink("nowhere", at("dangling"));
    const struct {
        const char *path;
        bool made;
    } table[] = {
        {"", false},
        {at("file"), false},
        {at("file/below"), false},
        {at("dangling"), false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        if (fs_mkdirs(table[i].path, &e) != -1 || e.kind != ERR_SYSTEM)
            fail_msg("'%s': '%s'", table[i].path, e.text);
    }
    struct stat st;
    static const char *const good[] = {"a", "a/b/c", "a/b/c", "x/y/", "x//z", "x/./w"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(fs_mkdirs(at(good[i]), NULL), 0);
        assert_true(fs_is_dir(at(good[i])));
        assert_int_equal(stat(at(good[i]), &st), 0);
        assert_int_equal(st.st_mode & 0777, 0700);
    }
    assert_int_equal(fs_mkdirs("/", NULL), 0);
    assert_int_equal(names_in(at("x")), 3);
}

TEST(listing)
{
    struct err e = ERR_INIT;
    char **names;
    size_t n;
    assert_int_equal(fs_list(at("missing"), &names, &n, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_null(names);
    assert_int_equal(n, 0);
    fs_list_free(names, n);
    assert_int_equal(fs_list(dir, &names, &n, NULL), 0);
    assert_int_equal(n, 0);
    fs_list_free(names, n);
    static const char *const made[] = {"b", ".hidden", "a", "B", "a b"};
    for (size_t i = 0; i < 5; i++)
        put(made[i], "");
    assert_int_equal(fs_list(dir, &names, &n, NULL), 0);
    static const char *const sorted[] = {".hidden", "B", "a", "a b", "b"};
    assert_int_equal(n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(names[i], sorted[i]);
    fs_list_free(names, n);
}

TEST(what_exists)
{
    put("file", "");
    symlink("nowhere", at("dangling"));
    symlink(".", at("here"));
    const struct {
        const char *path;
        bool exists, is_dir;
    } table[] = {
        {"", false, false},
        {at("missing"), false, false},
        {at("file"), true, false},
        {at("file/below"), false, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(fs_exists(table[i].path), table[i].exists);
        assert_int_equal(fs_is_dir(table[i].path), table[i].is_dir);
    }
    assert_true(fs_exists(at("dangling")));
    assert_false(fs_is_dir(at("dangling")));
    assert_true(fs_is_dir(at("here")));
}

TEST(absolute_paths)
{
    char *p = fs_absolute(at("missing/x")); /* need not exist */
    assert_string_equal(p, at("missing/x"));
    free(p);
    mkdir(at("real"), 0700);
    symlink("real", at("link"));
    p = fs_absolute(at("link/../link"));
    OWNED char *real = fs_absolute(at("real"));
    assert_string_equal(p, real);
    free(p);
    p = fs_absolute("not/there");
    assert_int_equal(p[0], '/');
    assert_non_null(strstr(p, "/not/there"));
    free(p);
    static const char *const same[] = {"real/own", "missing/x", "real"};
    symlink("elsewhere", at("real/own"));
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        p = fs_absolute_link(at(same[i]));
        assert_string_equal(p, at(same[i]));
        free(p);
    }
    p = fs_absolute_link(at("link/own")); /* the link that a path ends with stays, no other one */
    assert_string_equal(p, at("real/own"));
    free(p);
}

/* --- removing --------------------------------------------------------------------------------- */

TEST(links_are_not_followed)
{
    mkdir(at("outside"), 0700);
    put("outside/precious", "text");
    mkdir(at("tree"), 0700);
    symlink("../outside", at("tree/link"));
    symlink("../outside/precious", at("tree/file-link"));
    symlink("..", at("tree/up"));
    assert_int_equal(link(at("outside/precious"), at("tree/hard")), 0);
    symlink("outside", at("top"));
    assert_int_equal(fs_remove_tree(at("tree"), NULL), 0);
    assert_false(fs_exists(at("tree")));
    assert_int_equal(fs_remove_tree(at("top"), NULL), 0); /* a link goes, its target stays */
    assert_false(fs_exists(at("top")));
    assert_true(fs_exists(at("outside/precious")));
    assert_int_equal(names_in(dir), 1);
}

TEST(locked_directories)
{
    static const mode_t modes[] = {0, 0100, 0200, 0400, 0500};
    mkdir(at("tree"), 0700);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "tree/%zu", i);
        mkdir(at(name), 0700);
        snprintf(name, sizeof name, "tree/%zu/file", i);
        put(name, "");
        chmod(at(name), 0);
        snprintf(name, sizeof name, "tree/%zu/inner", i);
        mkdir(at(name), 0);
        snprintf(name, sizeof name, "tree/%zu", i);
        chmod(at(name), modes[i]);
    }
    mkfifo(at("tree/fifo"), 0);
    make_socket("tree/socket");
    chmod(at("tree"), 0);
    struct err e = ERR_INIT;
    if (fs_remove_tree(at("tree"), &e) != 0)
        fail_msg("%s", e.text);
    assert_false(fs_exists(at("tree")));
    assert_int_equal(fs_remove_tree(at("tree"), NULL), 0); /* gone already */
}

/* Deeper than there may be open files, and than a path may be long. */
TEST(deep_trees)
{
    enum { DEPTH = 3000 };
    struct rlimit before, few = {.rlim_cur = 200};
    assert_int_equal(mkdir(at("tree"), 0700), 0);
    int fd = open(at("tree"), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(mkdirat(fd, "a directory with a name", 0700), 0);
        assert_int_equal(mkdirat(fd, "b", 0), 0);
        int next = openat(fd, "a directory with a name", O_RDONLY | O_DIRECTORY);
        assert_true(next >= 0);
        if (i % 7 == 3)
            fchmod(fd, 0500);
        close(fd);
        fd = next;
    }
    close(fd);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_NOFILE, &few);
    struct err e = ERR_INIT;
    int rc = fs_remove_tree(at("tree"), &e);
    setrlimit(RLIMIT_NOFILE, &before);
    if (rc != 0)
        fail_msg("%s", e.text);
    assert_false(fs_exists(at("tree")));
}

TEST(cannot_be_removed)
{
    struct err e = ERR_INIT;
    assert_int_equal(fs_remove_tree("/proc/self", &e), -1);
    assert_int_equal(e.kind, ERR_SYSTEM);
    put("file", "");
    assert_int_equal(fs_remove_tree(at("file/below"), &e), -1);
    assert_non_null(strstr(e.text, "Not a directory"));
    if (geteuid() != 0) {
        assert_int_equal(fs_remove_tree("/etc/hostname", &e), -1);
        assert_non_null(strstr(e.text, "Permission denied"));
    }
}

TESTS_WITH(setup, teardown, NULL, NULL)
