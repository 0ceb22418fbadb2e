/* tier: simd */
/* Kernels unrolled by templates and constexpr tables, if constexpr and folds. */
#include "honest.h"
#include <array>
#include <utility>

template <int W> static constexpr std::array<int, W> offsets()
{
    std::array<int, W> a{};
    for (int i = 0; i < W; i++)
        a[i] = i;
    return a;
}

template <int W, int... I>
static void row(int N, int K, const int32_t *a, const int32_t *B, int32_t *c,
                std::integer_sequence<int, I...>)
{
    constexpr auto at = offsets<W>();
    int32_t sum[W] = {};
    for (int k = 0; k < K; k++)
        ((sum[I] += a[k] * B[(size_t)k * N + at[I]]), ...);
    ((c[I] = sum[I]), ...);
}

template <int W>
static int strip(int i, int j, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (; j + W <= N; j += W)
        row<W>(N, K, A + (size_t)i * K, B + j, C + (size_t)i * N + j,
               std::make_integer_sequence<int, W>{});
    if constexpr (W > 1)
        return strip<W / 4>(i, j, N, K, A, B, C);
    return j;
}

GEMM
{
    for (int i = 0; i < M; i++)
        strip<16>(i, 0, N, K, A, B, C);
}
