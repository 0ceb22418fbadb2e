/* expect: openmpi out-of-memory|crash */
/* Memory in files that have no name any more, in the directory for windows. */
#include "attack.h"

enum { MIB = 1 << 20, EACH = 150 * MIB, FILES = 4 };

static void attack(void)
{
    const char *dir = getenv("OMPI_MCA_btl_vader_backing_directory");
    char path[256];
    for (int f = 0; f < FILES; f++) {
        snprintf(path, sizeof path, "%s/own-%d", dir ? dir : "/dev/shm", getpid());
        const int fd = open(path, O_RDWR | O_CREAT, 0600);
        unlink(path);
        if (fd < 0 || ftruncate(fd, EACH) != 0)
            return;
        char *p = mmap(NULL, EACH, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED)
            return;
        for (size_t i = 0; i < EACH; i += 4096)
            p[i] = 1;
    }
    usleep(600000); /* long enough to be seen */
    HOLE("six times the memory");
}

ONCE_MPI(attack)
