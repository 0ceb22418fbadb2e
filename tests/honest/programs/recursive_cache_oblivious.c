/* tier: naive */
/* Halves the longest dimension until little is left. */
#include "honest.h"

static void halve(int m, int n, int k, const int32_t *a, int lda, const int32_t *b, int32_t *c,
                  int ldc)
{
    if (m + n + k < 40) {
        for (int i = 0; i < m; i++)
            for (int p = 0; p < k; p++)
                for (int j = 0; j < n; j++)
                    c[(size_t)i * ldc + j] += a[(size_t)i * lda + p] * b[(size_t)p * ldc + j];
    } else if (m >= n && m >= k) {
        halve(m / 2, n, k, a, lda, b, c, ldc);
        halve(m - m / 2, n, k, a + (size_t)(m / 2) * lda, lda, b, c + (size_t)(m / 2) * ldc, ldc);
    } else if (n >= k) {
        halve(m, n / 2, k, a, lda, b, c, ldc);
        halve(m, n - n / 2, k, a, lda, b + n / 2, c + n / 2, ldc);
    } else {
        halve(m, n, k / 2, a, lda, b, c, ldc);
        halve(m, n, k - k / 2, a + k / 2, lda, b + (size_t)(k / 2) * ldc, c, ldc);
    }
}

GEMM
{
    memset(C, 0, (size_t)M * N * sizeof *C);
    halve(M, N, K, A, K, B, C, N);
}
