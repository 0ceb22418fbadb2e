/* expect: mpi crash|timeout */
/* Rank 1 leaves. mpirun notices that, on a busy node after the limit of the case. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        answer(M, N, K, A, B, C);
    else
        _exit(0);
}
