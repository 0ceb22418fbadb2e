/* tier: hybrid */
/* The master receives rows while the other threads compute those that are there. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_B(&s, B, comm);
    int mine = s.to - s.from;
    if (s.rank == 0) {
        share_A(&s, A, comm);
#pragma omp parallel for
        for (int i = 0; i < mine; i++)
            rows(i, i + 1, N, K, s.A, s.B, s.C);
    } else {
        MPI_Recv(s.A, mine * K, MPI_INT32_T, 0, 1, comm, MPI_STATUS_IGNORE);
#pragma omp parallel
#pragma omp master
        for (int i = 0; i < mine; i += 4) {
#pragma omp task firstprivate(i)
            rows(i, least(mine, i + 4), N, K, s.A, s.B, s.C);
        }
    }
    share_C(&s, C, comm);
    share_free(&s);
}
