/* tier: simd */
/* GNU C's vector types, with no intrinsics. */
#include "honest.h"

typedef int32_t vec __attribute__((vector_size(32), aligned(4)));

GEMM
{
    for (int i = 0; i < M; i++) {
        int j = 0;
        for (; j + 8 <= N; j += 8) {
            vec sum = {0};
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * *(const vec *)(B + (size_t)k * N + j);
            *(vec *)(C + (size_t)i * N + j) = sum;
        }
        for (; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
    }
}
