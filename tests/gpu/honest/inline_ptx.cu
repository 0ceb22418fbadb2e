/* Multiply-adds written in PTX, cached loads, lane numbers from registers. */
#include "kernel.h"

static __global__ void ptx(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    if (row >= M || col >= N || lane > 31)
        return;
    int sum = 0;
    for (int k = 0; k < K; k++) {
        int a, b;
        asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(a) : "l"(A + (size_t)row * K + k));
        asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(b) : "l"(B + (size_t)k * N + col));
        asm("mad.lo.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    }
    C[(size_t)row * N + col] = sum;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    ptx<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
