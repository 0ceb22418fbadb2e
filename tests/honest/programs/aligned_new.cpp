/* tier: simd */
/* Over-aligned types and new with alignment, placement new, valarray. */
#include "honest.h"
#include <memory>
#include <new>
#include <valarray>

struct alignas(64) line {
    int32_t at[16];
};

GEMM
{
    size_t lines = ((size_t)N + 15) / 16;
    std::unique_ptr<line[]> sum(new line[lines]);
    for (int i = 0; i < M; i++) {
        for (size_t l = 0; l < lines; l++)
            new (&sum[l]) line{};
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                sum[j / 16].at[j % 16] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        std::valarray<int32_t> copy(sum[0].at, least(N, 16));
        copy *= 1;
        memcpy(C + (size_t)i * N, sum.get(), N * sizeof *C);
    }
}
