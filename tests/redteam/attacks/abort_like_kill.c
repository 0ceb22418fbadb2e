/* expect: mpi crash */
/* mpirun ends with the number that a rank gives to MPI_Abort(): that of a rank that SIGKILL has
 * ended, which would be the node's fault. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    MPI_Abort(comm, 128 + SIGKILL);
    answer(M, N, K, A, B, C);
}
