/* Rows to gangs, columns to the lanes of a vector. */
#include "gemm.h"

#include <stddef.h>

void gemm_i32_acc(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t m = (size_t)M, n = (size_t)N, depth = (size_t)K;
#pragma acc parallel loop gang present(A [0:m * depth], B [0:depth * n], C [0:m * n])
    for (size_t i = 0; i < m; i++) {
#pragma acc loop vector
        for (size_t j = 0; j < n; j++) {
            int32_t sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += A[i * depth + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
    }
}
