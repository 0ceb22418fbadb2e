/* tier: naive */
/* Uses C as its only memory: partial sums are written there and read again. */
#include "honest.h"

GEMM
{
    for (int k = 0; k < K; k++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                int32_t *c = &C[(size_t)i * N + j];
                *c = (k ? *c : 0) + A[(size_t)i * K + k] * B[(size_t)k * N + j];
            }
}
