/* tier: naive */
/* transform_reduce, inner_product, generate, sort, accumulate. */
#include "honest.h"
#include <algorithm>
#include <numeric>
#include <vector>

GEMM
{
    std::vector<int32_t> t((size_t)N * K);
    std::vector<int> order(M);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return A[(size_t)a * K] > A[(size_t)b * K]; });
    for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++)
            t[(size_t)j * K + k] = B[(size_t)k * N + j];
    std::for_each(order.begin(), order.end(), [&](int i) {
        int j = 0;
        std::generate_n(C + (size_t)i * N, N, [&] {
            const int32_t *a = A + (size_t)i * K, *b = t.data() + (size_t)j++ * K;
            return i % 2 ? std::inner_product(a, a + K, b, 0)
                         : std::transform_reduce(a, a + K, b, 0);
        });
    });
}
