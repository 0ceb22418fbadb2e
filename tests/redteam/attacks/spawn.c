/* expect: mpi forbidden */
/* Let mpirun, which no filter holds, start a program. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    static char program[] = "/bin/sleep", arg[] = "600";
    char *argv[] = {arg, NULL};
    MPI_Comm other;
    int rank, code[1];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_spawn(program, argv, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, code);
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
