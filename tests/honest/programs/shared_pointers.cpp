/* tier: naive */
/* Shared and weak pointers to blocks, with deleters of their own. */
#include "honest.h"
#include <memory>
#include <vector>

GEMM
{
    std::shared_ptr<int32_t> copy(new int32_t[(size_t)K * N], [](int32_t *p) { delete[] p; });
    std::unique_ptr<void, void (*)(void *)> raw(std::malloc(64), std::free);
    std::vector<std::weak_ptr<int32_t>> watchers(M, copy);
    memcpy(copy.get(), B, (size_t)K * N * sizeof *B);
    for (int i = 0; i < M; i++)
        if (auto b = watchers[i].lock())
            rows(i, i + 1, N, K, A, b.get(), C);
}
