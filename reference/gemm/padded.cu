/*
 * padded: bankconflict.cu with rows of the transposed tile 33 words long instead of 32. Now the
 * words b[0][k], b[1][k], ... b[31][k] are 33 apart: in 32 different banks, and the warp gets them
 * all at once, when reading as well as when storing. The 33rd word of a row is never used.
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -o padded.so padded.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

constexpr unsigned TILE = 32;

static __global__ void __launch_bounds__(TILE *TILE)
    product(unsigned M, unsigned N, unsigned K, const uint32_t *__restrict__ A,
            const uint32_t *__restrict__ B, uint32_t *__restrict__ C)
{
    __shared__ uint32_t a[TILE][TILE], b[TILE][TILE + 1]; /* b: transposed */
    unsigned across = (N - 1) / TILE + 1, x = threadIdx.x, y = threadIdx.y;
    unsigned i = blockIdx.x / across * TILE + y, j = blockIdx.x % across * TILE + x;
    uint32_t sum = 0;
    for (unsigned at = 0; at < K; at += TILE) {
        a[y][x] = i < M && at + x < K ? A[(size_t)i * K + at + x] : 0;
        b[x][y] = at + y < K && j < N ? B[(size_t)(at + y) * N + j] : 0;
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < TILE; k++)
            sum += a[y][k] * b[x][k];
        __syncthreads();
    }
    if (i < M && j < N)
        C[(size_t)i * N + j] = sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    unsigned m = (unsigned)M, n = (unsigned)N;
    unsigned blocks = ((m - 1) / TILE + 1) * ((n - 1) / TILE + 1);
    product<<<blocks, dim3(TILE, TILE), 0, stream>>>(m, n, (unsigned)K, (const uint32_t *)dA,
                                                     (const uint32_t *)dB, (uint32_t *)dC);
}
