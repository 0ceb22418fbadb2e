/* expect: openmpi output-limit */
/* Files without a byte: each of them takes an inode of the disk. */
#include "attack.h"

enum { FILES = 50000 };

static void attack(void)
{
    char name[32];
    int made = 0;
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d-%d", getpid(), i);
        const int fd = open(name, O_WRONLY | O_CREAT, 0600);
        made += fd >= 0;
        close(fd);
    }
    usleep(600000); /* long enough to be seen */
    if (made > FILES / 2)
        HOLE("50000 inodes");
}

ONCE_MPI(attack)
