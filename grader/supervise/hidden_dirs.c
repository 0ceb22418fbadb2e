#include "supervise/hidden_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/namespaces.h"
#include "base/path_within.h"
#include "base/strbuf.h"

static bool holds_any(const char *dir, char *const *path, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (path[i] && path_within(dir, path[i]))
            return true;
    return false;
}

static bool lies_in_any(const char *path, char *const *dir, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (path_within(dir[i], path))
            return true;
    return false;
}

char **hidden_dirs_choose(const struct sandbox_policy *p, const char *const *used,
                          size_t used_count, unsigned *count)
{
    OWNED char **real = xcalloc(used_count + 1, sizeof *real);
    char **dirs = xcalloc(p->withheld_count + 1, sizeof *dirs);
    unsigned n = 0;
    for (size_t i = 0; i < used_count; i++)
        real[i] = used[i] ? realpath(used[i], NULL) : NULL;
    for (size_t i = 0; i < p->withheld_count; i++) {
        const char *dir = p->withheld[i];
        if (fs_is_dir(dir) && !holds_any(dir, real, used_count) && !lies_in_any(dir, dirs, n))
            dirs[n++] = xstrdup(dir);
    }
    for (size_t i = 0; i < used_count; i++)
        free(real[i]);
    *count = n;
    return dirs;
}

/* Go to a directory whose path has no links. Students can exchange their directories for links to
 * what all drivers need. */
static int go_to(const char *dir)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_NO_SYMLINKS};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, dir, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* Linux 5.5; filters of old containers */
        fd = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    const int rc = fchdir(fd), why = errno;
    close(fd);
    errno = why;
    return rc;
}

int hidden_dirs_cover(char *const *dirs)
{
    for (; *dirs; dirs++)
        if ((go_to(*dirs) != 0 || namespaces_mount(".", "mode=0555,size=4096,nr_inodes=2") != 0) &&
            !fs_path_is_wrong(errno))
            return -1;
    return 0;
}
