/* expect: mpi crash */
/* mpirun reports a rank that SIGKILL has ended by this status, of which 8 bits count. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1)
        _exit(1024 + 128 + SIGKILL);
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
