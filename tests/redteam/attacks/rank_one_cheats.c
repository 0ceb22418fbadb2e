/* expect: mpi wrong-answer */
/* Rank 1 leaves out its part. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0) {
        answer(M, N, K, A, B, C);
        if (size > 1)
            MPI_Recv(C, N, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        int32_t *zero = calloc((size_t)N, sizeof *zero);
        MPI_Send(zero, N, MPI_INT, 0, 0, comm);
        free(zero);
    }
}
