/*
 * naive: the definition, element by element. The inner loop walks down a column of B with a
 * stride of N elements - one cache line for every multiply-add - which is what every other tier
 * is about avoiding. The baseline of all speed-ups.
 *
 * build  gcc -std=c11 -O2 -fwrapv -fPIC -shared -I<abi> -o naive.so naive.c
 * run    paragrade check --tier naive reference/gemm
 */
#include "element.h"
#include "gemm.h"

#include <stddef.h>

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            element sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * (size_t)K + (size_t)k] * B[(size_t)k * (size_t)N + (size_t)j];
            C[(size_t)i * (size_t)N + (size_t)j] = sum;
        }
    }
}
