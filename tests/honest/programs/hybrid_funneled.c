/* tier: hybrid */
/* MPI by the master thread inside a team, as FUNNELED allows. */
#include "honest.h"
#include <omp.h>

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
#pragma omp parallel
    {
#pragma omp master
        share_B(&s, B, comm);
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < s.to - s.from; i++)
            rows(i, i + 1, N, K, s.A, s.B, s.C);
#pragma omp master
        share_C(&s, C, comm);
    }
    share_free(&s);
}
