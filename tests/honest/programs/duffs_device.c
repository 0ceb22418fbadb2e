/* tier: naive */
/* Duff's device, gotos and computed gotos. */
#include "honest.h"

static int32_t dot(int K, int N, const int32_t *a, const int32_t *b)
{
    int32_t s = 0;
    int n = (K + 3) / 4;
    switch (K % 4) {
    case 0:
        do {
            s += *a++ * *b, b += N;
        case 3:
            s += *a++ * *b, b += N;
        case 2:
            s += *a++ * *b, b += N;
        case 1:
            s += *a++ * *b, b += N;
        } while (--n > 0);
    }
    return s;
}

GEMM
{
    static void *const next[] = {&&again, &&done};
    int i = 0, j = 0;
again:
    C[(size_t)i * N + j] = dot(K, N, A + (size_t)i * K, B + j);
    if (++j == N) {
        j = 0;
        i++;
    }
    goto *next[i == M];
done:
    return;
}
