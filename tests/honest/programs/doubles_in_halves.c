/* tier: naive */
/* Computes in double precision with halves of 16 bits, exactly. */
#include "honest.h"
#include <math.h>

GEMM
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double low = 0, mid = 0;
            for (int k = 0; k < K; k++) {
                uint32_t a = (uint32_t)A[(size_t)i * K + k], b = (uint32_t)B[(size_t)k * N + j];
                low += (double)(a & 65535) * (b & 65535);
                mid += (double)(a >> 16) * (b & 65535) + (double)(a & 65535) * (b >> 16);
            }
            uint64_t sum = (uint64_t)fmod(low, 4294967296.0) + ((uint64_t)fmod(mid, 65536.0) << 16);
            C[(size_t)i * N + j] = (int32_t)(uint32_t)sum;
        }
}
