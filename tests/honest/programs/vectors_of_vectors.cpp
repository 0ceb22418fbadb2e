/* tier: naive */
/* Matrices as vectors of vectors, checked with at(). */
#include "honest.h"
#include <vector>

GEMM
{
    using matrix = std::vector<std::vector<int32_t>>;
    matrix a(M), b(K), c(M, std::vector<int32_t>(N));
    for (int i = 0; i < M; i++)
        a[i].assign(A + (size_t)i * K, A + (size_t)(i + 1) * K);
    for (int k = 0; k < K; k++)
        b[k].assign(B + (size_t)k * N, B + (size_t)(k + 1) * N);
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c.at(i).at(j) += a.at(i).at(k) * b.at(k).at(j);
    for (int i = 0; i < M; i++)
        memcpy(C + (size_t)i * N, c[i].data(), N * sizeof *C);
}
