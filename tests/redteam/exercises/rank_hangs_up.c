/* expect: mpi crash */
/* Rank 1 closes the connection on which it gets its operands. */
#include "mix_attack.h"

KERNEL
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int64_t result = HONEST;
    for (int fd = 3; rank == 1 && fd < 256; fd++) {
        struct sockaddr_un {
            unsigned short family;
            char path[108];
        } peer;
        unsigned size = sizeof peer;
        if (raw(SYS_getpeername, fd, (long)&peer, (long)&size, 0, 0, 0) == 0 && peer.family == 1)
            close(fd);
    }
    return result;
}
