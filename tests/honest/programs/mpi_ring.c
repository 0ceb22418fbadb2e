/* tier: mpi */
/* Blocks of B go round in a ring, each rank sees all of them. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    int deep = (K + s.size - 1) / s.size, count = deep * N, mine = s.to - s.from;
    int32_t *padded = calloc((size_t)count * s.size, sizeof *padded);
    int32_t *block = calloc((size_t)count, sizeof *block);
    if (s.rank == 0)
        memcpy(padded, B, (size_t)K * N * sizeof *B);
    MPI_Scatter(padded, count, MPI_INT32_T, block, count, MPI_INT32_T, 0, comm);
    memset(s.C, 0, (size_t)mine * N * sizeof *s.C);
    for (int step = 0; step < s.size; step++) {
        int owner = (s.rank + step) % s.size, k0 = owner * deep;
        for (int i = 0; i < mine; i++)
            for (int k = k0; k < least(K, k0 + deep); k++)
                for (int j = 0; j < N; j++)
                    s.C[(size_t)i * N + j] +=
                        s.A[(size_t)i * K + k] * block[(size_t)(k - k0) * N + j];
        MPI_Sendrecv_replace(block, count, MPI_INT32_T, (s.rank + s.size - 1) % s.size, 3,
                             (s.rank + 1) % s.size, 3, comm, MPI_STATUS_IGNORE);
    }
    share_C(&s, C, comm);
    share_free(&s);
    free(padded);
    free(block);
}
