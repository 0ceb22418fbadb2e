/* tier: naive */
/* Checks its own product by Freivalds' algorithm, with random numbers. */
#include "honest.h"

GEMM
{
    int32_t *x = malloc(N * sizeof *x), *y = calloc(K, sizeof *y);
    rows(0, M, N, K, A, B, C);
    srandom(4711);
    for (int j = 0; j < N; j++)
        x[j] = (int32_t)(random() ^ rand() ^ lrand48());
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            y[k] += B[(size_t)k * N + j] * x[j];
    for (int i = 0; i < M; i++) {
        int32_t s = 0, t = 0;
        for (int j = 0; j < N; j++)
            s += C[(size_t)i * N + j] * x[j];
        for (int k = 0; k < K; k++)
            t += A[(size_t)i * K + k] * y[k];
        if (s != t) {
            fprintf(stderr, "row %d is wrong\n", i);
            exit(1);
        }
    }
    free(x);
    free(y);
}
