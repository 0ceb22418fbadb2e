#include "supervise/readable.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/install.h"
#include "base/path_within.h"
#include "base/strbuf.h"

/* A process may have some hundred to some million descriptors. Where they are few, nothing is kept.
 */
enum { KEPT_MOST = 500, DESCRIPTORS_LEAST = 1000 };

struct readable {
    struct kept {
        int fd;
        bool is_dir;
    } * item;
    size_t count, most;
    struct timespec settings; /* when an entry of /etc came, went or was replaced last */
    time_t opened;
};

/* Whom to tell. */
struct visitor {
    const struct sandbox_policy *policy;
    readable_fn *f;
    void *with;
};

bool readable_withheld(const struct sandbox_policy *p, const char *path)
{
    for (size_t i = 0; i < p->withheld_count; i++)
        if (path_within(p->withheld[i], path))
            return true;
    return false;
}

static bool contains_withheld(const struct sandbox_policy *p, const char *path)
{
    for (size_t i = 0; i < p->withheld_count; i++)
        if (path_within(path, p->withheld[i]))
            return true;
    return false;
}

static void visit_path(const struct visitor *v, const char *path)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return; /* a path that does not exist needs no rule */
    if (fstat(fd, &st) == 0)
        v->f(v->with, fd, S_ISDIR(st.st_mode));
    close(fd);
}

/* Landlock rules can only add access. So a directory that contains a withheld path gets no rule;
 * instead its other entries get one each. */
static void visit(const struct visitor *v, const char *path)
{
    OWNED char *real = realpath(path, NULL);
    if (!real || readable_withheld(v->policy, real))
        return;
    DIR *d = contains_withheld(v->policy, real) ? opendir(real) : NULL;
    if (!d)
        visit_path(v, real);
    struct dirent *de;
    while (d && (de = readdir(d))) {
        if (strcmp(de->d_name, ".") == 0 || strcmp(de->d_name, "..") == 0)
            continue;
        OWNED char *child = xasprintf("%s/%s", strcmp(real, "/") == 0 ? "" : real, de->d_name);
        struct stat st;
        if (lstat(child, &st) == 0 && !S_ISLNK(st.st_mode)) /* a link's target has its own rule */
            visit(v, child);
    }
    if (d)
        closedir(d);
}

/* Only the world-readable part of /etc: where the grader is root, student code must not see more
 * than students do. This is done at each start, and there are hundreds of entries: so paths are
 * only resolved where they can lead to a withheld one. */
static void visit_settings(const struct visitor *v)
{
    OWNED char *etc = realpath("/etc", NULL);
    DIR *d = etc ? opendir(etc) : NULL;
    const bool near = d && (readable_withheld(v->policy, etc) || contains_withheld(v->policy, etc));
    struct dirent *de;
    while (d && (de = readdir(d))) {
        struct stat st;
        int fd = de->d_name[0] == '.' ? -1 : openat(dirfd(d), de->d_name, O_PATH | O_CLOEXEC);
        if (fd < 0)
            continue;
        const bool open_to_all = fstat(fd, &st) == 0 && st.st_mode & S_IROTH;
        if (open_to_all && !near && (de->d_type == DT_REG || de->d_type == DT_DIR)) {
            v->f(v->with, fd, S_ISDIR(st.st_mode));
        } else if (open_to_all) {
            OWNED char *path = xasprintf("%s/%s", etc, de->d_name);
            visit(v, path);
        }
        close(fd);
    }
    if (d)
        closedir(d);
}

static bool part_of_toolchain(const char *name)
{
    static const char *const parts[] = {"lib*",   "include",          "share",   "etc",
                                        "nvvm",   "targets",          "sysroot", "*-linux-*",
                                        "extras", "compute-sanitizer"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (fnmatch(parts[i], name, 0) == 0)
            return true;
    return false;
}

/* A toolchain outside the system's directories, as environment modules provide it. PATH contains
 * PREFIX/bin, and the compiler also needs PREFIX/lib and PREFIX/include. The rest of PREFIX stays
 * closed, because the course may be kept there. Nothing beside ~/bin is opened. */
static void visit_toolchain(const struct visitor *v, const char *bin)
{
    const char *home = getenv("HOME");
    OWNED char *prefix = realpath(bin, NULL), *own = home ? realpath(home, NULL) : NULL;
    char *slash = prefix ? strrchr(prefix, '/') : NULL;
    if (slash && slash != prefix && strcmp(slash, "/bin") == 0) {
        *slash = '\0';
        DIR *d = own && path_within(prefix, own) ? NULL : opendir(prefix);
        struct dirent *de;
        while (d && (de = readdir(d))) {
            OWNED char *path = xasprintf("%s/%s", prefix, de->d_name);
            if (part_of_toolchain(de->d_name))
                visit(v, path);
        }
        if (d)
            closedir(d);
    }
    visit(v, bin);
}

static void visit_toolchains(const struct visitor *v)
{
    for (const char *at = getenv("PATH"); at && *at;) {
        size_t n = strcspn(at, ":");
        OWNED char *entry = xasprintf("%.*s", (int)n, at);
        if (entry[0] == '/')
            visit_toolchain(v, entry);
        at += n + (at[n] == ':');
    }
}

static void find_all(const struct visitor *v)
{
    static const char *const system[] = {"/usr",   "/bin", "/sbin", "/lib", "/lib64",
                                         "/lib32", "/opt", "/proc", "/sys"};
    char *parts[] = {install_path("libexec/paragrade"), install_path("include/paragrade")};
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        visit(v, system[i]);
    visit_settings(v);
    visit_toolchains(v);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        visit_path(v, parts[i]);
        free(parts[i]);
    }
}

static struct timespec settings_changed(void)
{
    struct stat st;
    return stat("/etc", &st) == 0 ? st.st_mtim : (struct timespec){0};
}

static void keep(void *with, int fd, bool is_dir)
{
    struct readable *r = with;
    const int own = r->count < r->most ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (own < 0) {
        r->most = 0;
        return;
    }
    r->item = xrealloc_array(r->item, r->count + 1, sizeof *r->item);
    r->item[r->count++] = (struct kept){own, is_dir};
}

static void clear(struct readable *r)
{
    for (size_t i = 0; i < r->count; i++)
        close(r->item[i].fd);
    free(r->item);
    *r = (struct readable){0};
}

/* False if there are too many. */
static bool fill(struct readable *r, const struct sandbox_policy *p)
{
    struct rlimit l;
    *r = (struct readable){.most = KEPT_MOST, .settings = settings_changed(), .opened = time(NULL)};
    if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur < DESCRIPTORS_LEAST)
        r->most = 0;
    if (r->most)
        find_all(&(struct visitor){p, keep, r});
    if (r->most)
        return true;
    clear(r);
    return false;
}

struct readable *readable_open(const struct sandbox_policy *p)
{
    struct readable *r = xcalloc(1, sizeof *r);
    if (fill(r, p))
        return r;
    free(r);
    return NULL;
}

void readable_close(struct readable *r)
{
    if (r)
        clear(r);
    free(r);
}

/* A file of /etc that was replaced is another file. Clocks of file systems are coarse: what came
 * while the files were opened need not show. */
static bool is_current(const struct readable *r)
{
    const struct timespec now = settings_changed();
    return r->most && r->opened > r->settings.tv_sec + 1 && now.tv_sec == r->settings.tv_sec &&
           now.tv_nsec == r->settings.tv_nsec;
}

void readable_each(const struct sandbox_policy *p, readable_fn *f, void *with)
{
    struct readable *r = p->readable;
    if (r && !is_current(r)) {
        clear(r);
        fill(r, p);
    }
    if (!r || !r->most) {
        find_all(&(struct visitor){p, f, with});
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        f(with, r->item[i].fd, r->item[i].is_dir);
}
