/* tier: naive */
/* Asks for far too much memory, catches what is thrown, and takes less. */
#include "honest.h"
#include <memory>
#include <new>

GEMM
{
    static volatile size_t much = (size_t)1 << 45;
    std::unique_ptr<int32_t[]> copy;
    try {
        copy.reset(new int32_t[much]);
    } catch (const std::bad_alloc &) {
        copy.reset(new int32_t[(size_t)K * N]);
    }
    if (int32_t *p = new (std::nothrow) int32_t[much / 2])
        delete[] p;
    memcpy(copy.get(), B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy.get(), C);
}
