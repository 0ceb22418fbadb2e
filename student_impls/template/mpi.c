/*
 * mpi - your turn. As the other tiers, but every rank of comm calls it: A, B and C are valid on
 * rank 0 only (NULL elsewhere), M, N and K everywhere. The result must be in C on rank 0 when
 * rank 0 returns. Do not call MPI_Init or MPI_Finalize.
 *
 * This file compiles and leaves C as it is: it counts as missing until you write something. See
 * where you stand with: paragrade check <your directory>
 */
#include "gemm.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)comm;
}
