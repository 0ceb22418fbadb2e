/* expect: naive pass */
/* Fill the disk with files, named and unnamed. */
#include "attack.h"

static void attack(void)
{
    char path[256];
    const char *tmp = getenv("TMPDIR");
    const char *dirs[] = {".", tmp ? tmp : "/tmp", "/tmp", "/var/tmp", "/dev/shm"};
    for (unsigned i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        snprintf(path, sizeof path, "%s/fill", dirs[i]);
        int fd = open(path, O_WRONLY | O_CREAT, 0600);
        int unnamed = open(dirs[i], O_TMPFILE | O_RDWR, 0600);
        if (fd >= 0 || unnamed >= 0)
            HOLE(dirs[i]);
        if (raw(SYS_mkdir, (long)path, 0700, 0, 0, 0, 0) == 0 ||
            raw(SYS_symlink, (long)"/etc", (long)path, 0, 0, 0, 0) == 0 ||
            raw(SYS_mknod, (long)path, S_IFIFO | 0600, 0, 0, 0, 0) == 0)
            HOLE(path);
    }
}

ONCE(attack)
