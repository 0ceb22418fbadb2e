/* expect: mpi pass */
/* Ranks that wake each other while the grader has them halted. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, pid = getpid(), other, spoilt;
    MPI_Comm_rank(comm, &rank);
    other = pid;
    MPI_Bcast(&other, 1, MPI_INT, 0, comm);
    if (raw(SYS_kill, other, SIGCONT, 0, 0, 0, 0) == 0)
        HOLE("SIGCONT");
    MPI_Allreduce((void *)&hole, &spoilt, 1, MPI_INT, MPI_MAX, comm);
    hole = spoilt;
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
