/*
 * global: one thread per element of C, everything straight from global memory. The first step of
 * the ladder; every element of A is read N times and every element of B M times.
 *
 *   COALESCED=1  threadIdx.x runs along N. The 32 threads of a warp read 32 neighbouring elements
 *                of a row of B - four sectors of 32 bytes - and all the same element of A.
 *   COALESCED=0  threadIdx.x runs along M. The 32 threads read 32 elements of a column of A, each
 *                from a sector of its own, and write C the same way: the same arithmetic, the same
 *                number of loads, eight times the traffic.
 *
 * Blocks are numbered in one dimension: only gridDim.x may exceed 65535, and either of M and N may
 * be long.
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -DCOALESCED=1 -o global.so global.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#ifndef COALESCED
#define COALESCED 1
#endif
static_assert(COALESCED == 0 || COALESCED == 1, "COALESCED is 0 or 1");

/* A block of 32 x 8 threads, and the rows and columns of C that it covers. */
constexpr unsigned LONG = 32, SHORT = 8;
constexpr unsigned ROWS = COALESCED ? SHORT : LONG, COLUMNS = COALESCED ? LONG : SHORT;

static __global__ void product(unsigned M, unsigned N, unsigned K, const uint32_t *A,
                               const uint32_t *B, uint32_t *C)
{
    unsigned across = (N - 1) / COLUMNS + 1; /* blocks side by side */
    unsigned i = blockIdx.x / across * ROWS + (COALESCED ? threadIdx.y : threadIdx.x);
    unsigned j = blockIdx.x % across * COLUMNS + (COALESCED ? threadIdx.x : threadIdx.y);
    if (i >= M || j >= N)
        return;
    uint32_t sum = 0;
    for (unsigned k = 0; k < K; k++)
        sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    C[(size_t)i * N + j] = sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    unsigned m = (unsigned)M, n = (unsigned)N;
    unsigned blocks = ((m - 1) / ROWS + 1) * ((n - 1) / COLUMNS + 1);
    product<<<blocks, dim3(LONG, SHORT), 0, stream>>>(m, n, (unsigned)K, (const uint32_t *)dA,
                                                      (const uint32_t *)dB, (uint32_t *)dC);
}
