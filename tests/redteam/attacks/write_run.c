/* expect: naive pass */
/* Improve the results in the run directory; spoil those of others; open the instructor's home. */
#include "attack.h"
#include <sys/time.h>
#include <sys/xattr.h>

static void change(const char *path)
{
    static const char name[] = "user.x";
    char other[512];
    snprintf(other, sizeof other, "%s.new", path);
    if (open(path, O_WRONLY) >= 0 || open(path, O_WRONLY | O_TRUNC) >= 0 ||
        raw(SYS_truncate, (long)path, 0, 0, 0, 0, 0) == 0)
        HOLE("write");
    if (raw(SYS_chmod, (long)path, 0777, 0, 0, 0, 0) == 0 ||
        raw(SYS_fchmodat, -100, (long)path, 0777, 0, 0, 0) == 0)
        HOLE("chmod");
    if (raw(SYS_fchmodat + 0, -100, (long)path, 0777, 0, 0, 0) == 0 ||
        raw(452 /* fchmodat2 */, -100, (long)path, 0777, 0, 0, 0) == 0)
        HOLE("fchmodat2");
    if (raw(SYS_chown, (long)path, 1, 1, 0, 0, 0) == 0 ||
        raw(SYS_lchown, (long)path, 1, 1, 0, 0, 0) == 0 ||
        raw(SYS_fchownat, -100, (long)path, 1, 1, 0, 0) == 0)
        HOLE("chown");
    if (raw(SYS_setxattr, (long)path, (long)name, (long)"x", 1, 0, 0) == 0)
        HOLE("setxattr");
    if (raw(SYS_utimensat, -100, (long)path, 0, 0, 0, 0) == 0 ||
        raw(SYS_utimes, (long)path, 0, 0, 0, 0, 0) == 0 ||
        raw(SYS_utime, (long)path, 0, 0, 0, 0, 0) == 0)
        HOLE("utimes");
    if (raw(SYS_link, (long)path, (long)other, 0, 0, 0, 0) == 0 ||
        raw(SYS_rename, (long)path, (long)other, 0, 0, 0, 0) == 0 ||
        raw(SYS_symlink, (long)path, (long)other, 0, 0, 0, 0) == 0 ||
        raw(SYS_mkdir, (long)other, 0777, 0, 0, 0, 0) == 0 ||
        raw(SYS_unlink, (long)path, 0, 0, 0, 0, 0) == 0 ||
        raw(SYS_rmdir, (long)path, 0, 0, 0, 0, 0) == 0)
        HOLE("directory");
}

static void attack(void)
{
    change(RUN "/plan.json");
    change(RUN "/units/honest.naive/result.json");
    change(RUN "/units");
    change(SECRET);
    change(SECRET_DIR);
    int fd = open(RUN "/units/honest.naive/result.json", O_WRONLY | O_CREAT, 0600);
    if (fd >= 0)
        HOLE("a result can be written");
    fd = open(SECRET_DIR, O_PATH);
    if (fd >= 0 && raw(SYS_fchmod, fd, 0777, 0, 0, 0, 0) == 0)
        HOLE("fchmod");
}

ONCE(attack)
