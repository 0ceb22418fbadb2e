/* expect: mpi pass */
/* mpirun is our parent, in the same domain, without a filter: stop it, trace it, write to it. */
#include "attack.h"
#include <sys/uio.h>

static void attack(void)
{
    char byte = 0, path[64];
    const long parents[] = {getppid(), getppid() | 1L << 32};
    struct iovec mine = {&byte, 1}, theirs = {(void *)&errno, 1};
    FILE *maps;
    unsigned long from = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", getppid());
    maps = fopen(path, "r");
    if (maps && fscanf(maps, "%lx", &from) == 1)
        theirs.iov_base = (void *)from;
    for (int i = 0; i < 2; i++) {
        if (raw(SYS_process_vm_writev, parents[i], (long)&mine, 1, (long)&theirs, 1, 0) == 1 ||
            raw(SYS_process_vm_readv, parents[i], (long)&mine, 1, (long)&theirs, 1, 0) == 1)
            HOLE("the memory of mpirun");
        if (raw(SYS_kill, parents[i], SIGSTOP, 0, 0, 0, 0) == 0)
            HOLE("mpirun can be stopped");
        if (raw(SYS_prlimit64, parents[i], 7, 0, 0, 0, 0) == 0)
            HOLE("mpirun can be limited");
    }
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    if (open(path, O_RDWR) >= 0)
        HOLE("the memory of mpirun as a file");
}

ONCE_MPI(attack)
