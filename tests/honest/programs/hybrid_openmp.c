/* tier: hybrid */
/* OpenMP in each rank, MPI outside of the teams. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    share_B(&s, B, comm);
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < s.to - s.from; i++)
        rows(i, i + 1, N, K, s.A, s.B, s.C);
    share_C(&s, C, comm);
    share_free(&s);
}
