/* expect: mpi pass */
/* The same from a rank, which may look at other ranks; and write to an input through /proc. */
#include "mix_attack.h"

KERNEL
{
    static int done;
    int ranks, mine = getpid(), spoilt = 0;
    MPI_Comm_size(comm, &ranks);
    if (!done++) {
        int *all = malloc((size_t)ranks * sizeof *all);
        MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
        try_processes(all, ranks);
        try_files();
        free(all);
        const int fd = open("/proc/self/mem", O_RDWR);
        const int32_t other = c[0] + 1;
        if (fd >= 0 && pwrite(fd, &other, sizeof other, (off_t)(uintptr_t)c) > 0)
            HOLE("an input was written");
        close(fd);
    }
    const int64_t result = HONEST;
    MPI_Allreduce((void *)&hole, &spoilt, 1, MPI_INT, MPI_MAX, comm);
    return spoilt ? 0 : result;
}
