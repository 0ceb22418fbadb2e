#include "base/disk_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK = 512,     /* of st_blocks, on every file system */
    DEPTH_MOST = 32, /* each level keeps a descriptor open */
};

/* Add an entry of a directory, with everything below it. */
static void add_entry(struct disk_count *c, int dirfd, const char *name, dev_t device, int depth)
{
    struct stat st;
    if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    c->bytes += (uint64_t)st.st_blocks * BLOCK;
    c->files++;
    if (!S_ISDIR(st.st_mode) || st.st_dev != device)
        return;
    if (depth > DEPTH_MOST) {
        c->too_deep = true;
        return;
    }
    const int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (const struct dirent *de; d && (de = readdir(d));)
        if (strcmp(de->d_name, ".") != 0 && strcmp(de->d_name, "..") != 0)
            add_entry(c, fd, de->d_name, device, depth + 1);
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
}

struct disk_count disk_count(const char *dir)
{
    struct disk_count c = {0};
    struct stat st;
    if (lstat(dir, &st) == 0)
        add_entry(&c, AT_FDCWD, dir, st.st_dev, 0);
    return c;
}

uint64_t disk_use(const char *dir)
{
    return disk_count(dir).bytes;
}

const char *disk_use_text(uint64_t bytes, char *out)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes / 1024;
    size_t u = 0;
    for (; v >= 1000 && u + 1 < sizeof units / sizeof units[0]; u++)
        v /= 1024;
    snprintf(out, DISK_USE_TEXT, "%.*f %s", u && v < 10 ? 1 : 0, v, units[u]);
    return out;
}
