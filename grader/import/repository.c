/*
 * git runs with a repository of our own, which has no configuration, and only takes the objects
 * from the student's one.
 */
#include "import/repository.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/path_within.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/tree.h"

enum {
    GIT_TIMEOUT_MS = 60000,
    OUTPUT_MOST = 1 << 16,
    FILE_MOST = 1 << 20,
    NAMES_MOST = 1 << 20,
    COPY_MEBIBYTES_MOST = 1024,  /* of one file */
    ARCHIVE_MEBIBYTES_MOST = 320 /* place.c takes less, but for the headers of tar */
};

/* --- which commit is checked out ---------------------------------------------------------------
 */

/* The first word of a file in .git; NULL: there is none. Links are not followed. */
static char *first_line(const char *dir, const char *name, size_t max)
{
    char *path = xasprintf("%s/.git/%s", dir, name), *data = NULL;
    struct stat st;
    const struct fs_name n = {AT_FDCWD, path, path};
    const int fd = fs_open_regular(&n, O_NOFOLLOW, &st, NULL);
    if (fd >= 0) {
        if (fs_read_fd(fd, path, max, &data, NULL, NULL) != 0)
            data = NULL;
        close(fd);
    }
    free(path);
    return data;
}

static bool is_id(const char *s)
{
    const size_t n = strspn(s, "0123456789abcdef");
    return (n == 40 || n == 64) && !s[n];
}

/* "ID refs/heads/main" in packed-refs. */
static char *packed(const char *dir, const char *ref)
{
    char *all = first_line(dir, "packed-refs", FILE_MOST), *found = NULL;
    for (char *line = all, *next; line && *line && !found; line = next) {
        const size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        char *blank = strchr(line, ' ');
        if (blank && strcmp(blank + 1, ref) == 0)
            found = xasprintf("%.*s", (int)(blank - line), line);
    }
    free(all);
    return found;
}

/* What leads to a repository that is somebody else's: links, and objects that are borrowed. Who
 * makes clones may let them borrow. */
static int stands_alone(const char *dir, struct err *e)
{
    static const char *const parts[] = {"objects", "refs", "packed-refs", "HEAD"};
    OWNED char *git = xasprintf("%s/.git", dir);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    struct stat st;
    if (lstat(git, &st) == 0 && S_ISLNK(st.st_mode))
        return err_input(e, ".git is a link, which may lead to somebody else's repository");
    if (tree_list(git, NAMES_MOST, &names, &count, e) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", git, names[i]);
        bool part = false;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            part = part || path_within(parts[k], names[i]);
        if (part && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
            return err_input(e, ".git/%s is a link, which may lead to somebody else's repository",
                             names[i]);
        if (strcmp(names[i], "objects/info/alternates") == 0 && lstat(path, &st) == 0 &&
            st.st_uid != geteuid())
            return err_input(e, ".git/%s is not yours: it may lead to somebody else's repository",
                             names[i]);
    }
    return 0;
}

/* Where to read the repository: there if it is the grader's. Its owner could put links into another
 * one while it is read, so there is a copy, without what it borrows. The caller frees the path. */
static char *settled(const char *dir, const char *scratch, struct err *e)
{
    static const char borrows[] = "objects/info/alternates";
    OWNED char *git = xasprintf("%s/.git", dir);
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    struct stat st;
    if (stands_alone(dir, e) != 0)
        return NULL;
    if (lstat(git, &st) == 0 && st.st_uid == geteuid())
        return xstrdup(dir);
    char *own = xasprintf("%s/repository", scratch);
    OWNED char *to = xasprintf("%s/.git", own);
    int rc = fs_remove_tree(own, e);
    if (rc == 0)
        rc = tree_list(git, NAMES_MOST, &names, &count, e);
    for (size_t i = 0; i < count && rc == 0; i++)
        if (strcmp(names[i], borrows) != 0)
            rc = tree_copy_below(git, names[i], to, (size_t)COPY_MEBIBYTES_MOST << 20, e);
    if (rc == 0)
        return own;
    free(own);
    return NULL;
}

static int checked_out(const char *dir, char id[65], struct err *e)
{
    static const char link[] = "ref: ";
    OWNED char *head = first_line(dir, "HEAD", 4096);
    if (head)
        head[strcspn(head, "\r\n")] = '\0';
    if (head && strncmp(head, link, strlen(link)) == 0 && !strstr(head, "..")) {
        const char *ref = head + strlen(link);
        char *target = first_line(dir, ref, 4096);
        if (target)
            target[strcspn(target, "\r\n")] = '\0';
        else
            target = packed(dir, ref);
        free(head);
        head = target;
    }
    const bool known = head && is_id(head);
    if (known)
        snprintf(id, 65, "%s", head);
    return known ? 0 : err_input(e, "its repository has no commit that is checked out");
}

/* --- git -------------------------------------------------------------------------------------- */

/* An empty repository; git reads its configuration only. The caller frees the path. */
static char *own_repository(const char *scratch, struct err *e)
{
    static const char *const directories[] = {"refs", "objects"};
    char *own = xasprintf("%s/git", scratch);
    int rc = 0;
    for (size_t i = 0; i < 2 && rc == 0; i++) {
        OWNED char *path = xasprintf("%s/%s", own, directories[i]);
        rc = fs_mkdirs(path, e);
    }
    OWNED char *head = xasprintf("%s/HEAD", own);
    static const char text[] = "ref: refs/heads/none\n";
    if (rc == 0)
        rc = fs_write_atomic(head, text, strlen(text), e);
    if (rc == 0)
        return own;
    free(own);
    return NULL;
}

/* The file in which a clone says what it lacks. */
static char *shallow_file(const char *dir)
{
    return xasprintf("%s/.git/shallow", dir);
}

bool repository_is_shallow(const char *dir)
{
    OWNED char *path = shallow_file(dir);
    return fs_exists(path);
}

/* A few bytes of a repository can make files that fill every disk. */
static void limit(void *unused)
{
    const struct rlimit file = {(rlim_t)ARCHIVE_MEBIBYTES_MOST << 20,
                                (rlim_t)ARCHIVE_MEBIBYTES_MOST << 20},
                        core = {0, 0};
    (void)unused;
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
    signal(SIGXFSZ, SIG_DFL);
}

/* Why git has failed: the student's repository, or, if it cannot write, this machine. */
static int explain(struct proc_result *r, struct err *e)
{
    char how[100];
    if (WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGXFSZ)
        return err_input(e, "the files of the last commit in time are larger than %d MiB together",
                         ARCHIVE_MEBIBYTES_MOST);
    proc_describe(r, how, sizeof how);
    r->err.s[strcspn(r->err.s, "\n")] = '\0';
    const char *said = r->err.len ? r->err.s : how;
    return strstr(said, "write error") ? err_system(e, "git: %s", said)
                                       : err_input(e, "git cannot read its repository: %s", said);
}

/* Run git with the student's objects. The caller frees *out. */
static int git(const char *dir, const char *scratch, char *const *words, char **out, struct err *e)
{
    OWNED char *own = own_repository(scratch, e);
    if (!own)
        return -1;
    OWNED char *shallow = shallow_file(dir);
    char *env[] = {xasprintf("PATH=%s", getenv("PATH")),
                   xasprintf("GIT_DIR=%s", own),
                   xasprintf("GIT_OBJECT_DIRECTORY=%s/.git/objects", dir),
                   xstrdup("GIT_CONFIG_NOSYSTEM=1"),
                   xstrdup("GIT_CONFIG_GLOBAL=/dev/null"),
                   xstrdup("GIT_NO_REPLACE_OBJECTS=1"),
                   xstrdup("GIT_NO_LAZY_FETCH=1"),
                   xstrdup("GIT_ALLOW_PROTOCOL=none"),
                   xstrdup("LC_ALL=C"),
                   repository_is_shallow(dir) ? xasprintf("GIT_SHALLOW_FILE=%s", shallow) : NULL,
                   NULL};
    struct proc_spec spec = {.argv = words,
                             .env = env,
                             .cwd = scratch,
                             .output_max = OUTPUT_MOST,
                             .timeout_ms = GIT_TIMEOUT_MS,
                             .prepare = limit};
    struct proc_result r;
    int rc = proc_run(&spec, &r, e);
    if (rc == 0 && !proc_ok(&r))
        rc = explain(&r, e);
    *out = rc == 0 ? xstrdup(r.out.s) : NULL;
    proc_result_free(&r);
    for (size_t i = 0; env[i]; i++)
        free(env[i]);
    return rc;
}

/* "ID SECONDS\n"; "" when no commit is early enough. */
static int read_commit(char *line, struct commit *out, struct err *e)
{
    line[strcspn(line, "\n")] = '\0';
    char *blank = strchr(line, ' ');
    long long when;
    if (blank)
        *blank = '\0';
    if (!blank || !is_id(line) || parse_int(blank + 1, 0, INT64_MAX, &when, NULL) != 0)
        return err_system(e, "git printed what was not expected");
    snprintf(out->id, sizeof out->id, "%s", line);
    out->when = when;
    return 0;
}

int repository_commit(const char *dir, const int64_t *deadline, const char *scratch,
                      struct commit *out, struct err *e)
{
    char id[65], *printed = NULL;
    *out = (struct commit){0};
    OWNED char *at = settled(dir, scratch, e);
    if (!at || checked_out(at, id, e) != 0)
        return -1;
    OWNED char *before = deadline ? xasprintf("--before=@%lld", (long long)*deadline) : NULL;
    char *words[] = {"git", "log",  "-1", "--first-parent", "--no-color", "--format=%H %ct",
                     id,    before, NULL};
    int rc = git(at, scratch, words, &printed, e);
    if (rc == 0)
        rc = *printed ? read_commit(printed, out, e) : 1;
    free(printed);
    return rc;
}

int repository_archive(const char *dir, const struct commit *c, const char *scratch,
                       const char *tar, struct err *e)
{
    OWNED char *at = settled(dir, scratch, e);
    if (!at)
        return -1;
    OWNED char *printed = NULL, *option = xasprintf("--output=%s", tar), *id = xstrdup(c->id);
    char *words[] = {"git", "archive", "--format=tar", option, id, NULL};
    return git(at, scratch, words, &printed, e);
}
