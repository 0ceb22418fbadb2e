/* tier: naive */
/* Strassen's recursion, in a power of two with zeros around. */
#include "honest.h"

static void add(int n, const int32_t *x, const int32_t *y, int sign, int32_t *z)
{
    for (int i = 0; i < n * n; i++)
        z[i] = x[i] + sign * y[i];
}

static void quarter(int n, int32_t *big, int which, int32_t *small, int out)
{
    for (int i = 0; i < n; i++) {
        int32_t *b = big + (size_t)(i + which / 2 * n) * 2 * n + which % 2 * n;
        memcpy(out ? b : small + (size_t)i * n, out ? small + (size_t)i * n : b, n * sizeof *b);
    }
}

static void multiply(int n, int32_t *a, int32_t *b, int32_t *c)
{
    if (n <= 32) {
        rows(0, n, n, n, a, b, c);
        return;
    }
    int h = n / 2, s = h * h;
    int32_t *w = malloc(17 * (size_t)s * sizeof *w), *p[17];
    for (int i = 0; i < 17; i++)
        p[i] = w + (size_t)i * s;
    for (int i = 0; i < 4; i++) {
        quarter(h, a, i, p[i], 0);
        quarter(h, b, i, p[4 + i], 0);
    }
    static const int term[7][6] = {{0, 3, 1, 4, 7, 1},   {2, 3, 1, 4, -1, 0}, {0, -1, 0, 5, 7, -1},
                                   {3, -1, 0, 6, 4, -1}, {0, 1, 1, 7, -1, 0}, {2, 0, -1, 4, 5, 1},
                                   {1, 3, -1, 6, 7, 1}};
    for (int i = 0; i < 7; i++) {
        int32_t *x = p[term[i][0]], *y = p[term[i][3]];
        if (term[i][1] >= 0)
            add(h, x, p[term[i][1]], term[i][2], p[15]), x = p[15];
        if (term[i][4] >= 0)
            add(h, y, p[term[i][4]], term[i][5], p[16]), y = p[16];
        multiply(h, x, y, p[8 + i]);
    }
    for (int i = 0; i < s; i++) {
        int32_t m1 = p[8][i], m2 = p[9][i], m3 = p[10][i], m4 = p[11][i], m5 = p[12][i];
        p[0][i] = m1 + m4 - m5 + p[14][i];
        p[1][i] = m3 + m5;
        p[2][i] = m2 + m4;
        p[3][i] = m1 - m2 + m3 + p[13][i];
    }
    for (int i = 0; i < 4; i++)
        quarter(h, c, i, p[i], 1);
    free(w);
}

GEMM
{
    int n = 1;
    while (n < M || n < N || n < K)
        n *= 2;
    int32_t *w = calloc(3 * (size_t)n * n, sizeof *w), *b = w + (size_t)n * n,
            *c = b + (size_t)n * n;
    for (int i = 0; i < M; i++)
        memcpy(w + (size_t)i * n, A + (size_t)i * K, K * sizeof *A);
    for (int k = 0; k < K; k++)
        memcpy(b + (size_t)k * n, B + (size_t)k * N, N * sizeof *B);
    multiply(n, w, b, c);
    for (int i = 0; i < M; i++)
        memcpy(C + (size_t)i * N, c + (size_t)i * n, N * sizeof *C);
    free(w);
}
