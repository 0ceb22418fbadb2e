/* tier: naive */
/* Two columns at once as one complex number of C99, in halves of 16 bits. */
#include "honest.h"
#include <complex.h>

GEMM
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j += 2) {
            long double complex low = 0, high = 0;
            for (int k = 0; k < K; k++) {
                const int32_t *b = B + (size_t)k * N + j;
                long double complex pair = CMPLXL(b[0], j + 1 < N ? b[1] : 0);
                uint32_t a = (uint32_t)A[(size_t)i * K + k];
                low += (long double)(a & 65535) * pair;
                high += (long double)(a >> 16) * pair;
            }
            C[(size_t)i * N + j] =
                (int32_t)(uint32_t)((int64_t)creall(low) + ((uint64_t)(int64_t)creall(high) << 16));
            if (j + 1 < N)
                C[(size_t)i * N + j + 1] =
                    (int32_t)(uint32_t)((int64_t)cimagl(low) +
                                        ((uint64_t)(int64_t)cimagl(high) << 16));
        }
}
