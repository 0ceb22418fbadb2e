/* tier: naive */
/* Exceptions thrown through several frames with destructors, nested, caught by base. */
#include "honest.h"
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

static std::vector<int32_t> copy(const int32_t *p, size_t n)
{
    std::vector<int32_t> v(p, p + n);
    std::string text = "rows: " + std::to_string(n);
    if (n % 2)
        throw std::length_error(text);
    return v;
}

static const int32_t *even(const int32_t *p, size_t n, std::vector<int32_t> &keep)
{
    try {
        keep = copy(p, n);
        return keep.data();
    } catch (const std::logic_error &) {
        std::throw_with_nested(std::runtime_error("odd"));
    }
}

GEMM
{
    std::vector<int32_t> keep;
    const int32_t *b = B;
    try {
        b = even(B, (size_t)K * N, keep);
    } catch (const std::exception &e) {
        try {
            std::rethrow_if_nested(e);
        } catch (const std::length_error &inner) {
            b = inner.what()[0] == 'r' ? B : nullptr;
        }
    }
    rows(0, M, N, K, A, b, C);
}
