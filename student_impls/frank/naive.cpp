// C++ is welcome in every host tier; the function keeps its C name through gemm.h.
#include "gemm.h"

#include <cstddef>

template <typename T> static T dot(const T *a, const T *b, std::size_t stride, int n)
{
    T sum{};
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k * stride];
    return sum;
}

extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            C[std::size_t(i) * N + j] = dot(A + std::size_t(i) * K, B + j, std::size_t(N), K);
}
