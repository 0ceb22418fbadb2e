/* expect: openmpi output-limit */
/* Files where nobody looks: below more directories than a walk goes down. */
#include "attack.h"

enum { LEVELS = 40, MIB = 1 << 20, MOST = 100 };

static void attack(void)
{
    static char block[MIB];
    int written = 0, dir = open(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < LEVELS && dir >= 0; i++) {
        mkdirat(dir, "d", 0700);
        const int below = openat(dir, "d", O_RDONLY | O_DIRECTORY);
        close(dir);
        dir = below;
    }
    for (int f = 0; f < 2; f++) {
        const char name[2] = {(char)('a' + f), 0};
        const int fd = openat(dir, name, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < MOST; i++)
            written += write(fd, block, MIB) == MIB;
    }
    usleep(600000); /* long enough to be seen */
    if (written > MOST)
        HOLE("100 MiB of files");
}

ONCE_MPI(attack)
