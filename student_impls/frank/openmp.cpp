#include "gemm.h"

#include <cstddef>
#include <vector>

extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
#pragma omp parallel
    {
        std::vector<int32_t> row(N);
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < M; i++) {
            row.assign(N, 0);
            for (int k = 0; k < K; k++)
                for (int j = 0; j < N; j++)
                    row[j] += A[std::size_t(i) * K + k] * B[std::size_t(k) * N + j];
            for (int j = 0; j < N; j++)
                C[std::size_t(i) * N + j] = row[j];
        }
    }
}
