/* expect: mpi pass */
/* Rank 1 says on its connection that all is done, and that it crashed, as often as it can. */
#include "mix_attack.h"
#include <sys/socket.h>

KERNEL
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int64_t result = HONEST;
    const struct pg_done done = {.type = PG_DONE, .sequence = FIRST_GO};
    const struct pg_fault fault = {.type = PG_FAULT, .signal = SIGKILL};
    for (int fd = 3; rank == 1 && fd < 256; fd++) {
        int kind = 0;
        socklen_t size = sizeof kind;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_SEQPACKET)
            continue;
        for (int i = 0; i < 1000; i++) {
            send(fd, &done, sizeof done, MSG_DONTWAIT | MSG_NOSIGNAL);
            send(fd, &fault, sizeof fault, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }
    return result;
}
