/* tier: naive */
/* Static arrays for the largest size there is: 256 MB, of which little is touched. */
#include "honest.h"

static int32_t copy_A[4096][4096], copy_B[4096][4096], copy_C[4096][4096], spare[4096][4096];

GEMM
{
    if (M > 4096 || N > 4096 || K > 4096)
        abort();
    for (int i = 0; i < M; i++)
        memcpy(copy_A[i], A + (size_t)i * K, K * sizeof *A);
    for (int k = 0; k < K; k++)
        memcpy(copy_B[k], B + (size_t)k * N, N * sizeof *B);
    spare[M - 1][N - 1] = 1;
    for (int i = 0; i < M; i++) {
        memset(copy_C[i], 0, N * sizeof *C);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                copy_C[i][j] += copy_A[i][k] * copy_B[k][j];
        memcpy(C + (size_t)i * N, copy_C[i], N * sizeof *C);
    }
}
