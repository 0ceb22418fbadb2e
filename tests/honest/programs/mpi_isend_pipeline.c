/* tier: mpi */
/* Rows of A sent ahead with Isend while others are computed; Waitany, Testall. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_B(&s, B, comm);
    int mine = s.to - s.from, count = s.rank == 0 ? M : mine, at, done = 0;
    MPI_Request *r = malloc((size_t)(count + 1) * sizeof *r);
    if (s.rank == 0) {
        int n = 0;
        for (int to = 1; to < s.size; to++)
            for (int i = begin(M, to, s.size); i < begin(M, to + 1, s.size); i++)
                MPI_Isend(A + (size_t)i * K, K, MPI_INT32_T, to, i, comm, &r[n++]);
        rows(0, s.to, N, K, A, s.B, s.C);
        while (!done)
            MPI_Testall(n, r, &done, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < mine; i++)
            MPI_Irecv(s.A + (size_t)i * K, K, MPI_INT32_T, 0, s.from + i, comm, &r[i]);
        for (int n = 0; n < mine; n++) {
            MPI_Waitany(mine, r, &at, MPI_STATUS_IGNORE);
            rows(at, at + 1, N, K, s.A, s.B, s.C);
        }
    }
    share_C(&s, C, comm);
    share_free(&s);
    free(r);
}
