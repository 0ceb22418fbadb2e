/* expect: naive pass */
/* Honest: the initialisers of <iostream> run before the kernel. */
#include "gemm.h"
#include <iostream>
#include <vector>

static std::vector<int> table(64, 1);

extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[i * K + k] * B[k * N + j] * table[k % 64];
            C[i * N + j] = sum;
        }
    std::cout << "done" << std::endl;
}
