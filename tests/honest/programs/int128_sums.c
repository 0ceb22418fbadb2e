/* tier: naive */
/* Sums of 128 bits, and a division of them. */
#include "honest.h"

GEMM
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            __int128 sum = 0;
            for (int k = 0; k < K; k++)
                sum += (__int128)A[(size_t)i * K + k] * B[(size_t)k * N + j];
            __int128 high = sum / ((__int128)1 << 32), rest = sum % ((__int128)1 << 32);
            C[(size_t)i * N + j] = (int32_t)(uint32_t)(rest + (high << 32));
        }
}
