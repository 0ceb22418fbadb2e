/* expect: mpi pass */
/* MPI may use the network: reach the daemons of this machine through it. */
#include "attack.h"
#include <sys/socket.h>

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, spoilt;
    MPI_Comm_rank(comm, &rank);
    if (raw(SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0, 0, 0) >= 0 ||
        raw(SYS_socket, AF_NETLINK, SOCK_RAW, 0, 0, 0, 0) >= 0)
        HOLE("a socket to local daemons");
    MPI_Allreduce((void *)&hole, &spoilt, 1, MPI_INT, MPI_MAX, comm);
    hole = spoilt;
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
