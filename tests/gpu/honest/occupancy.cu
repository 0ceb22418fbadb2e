/* A block size that the runtime suggests, device properties printed once. */
#include "kernel.h"
#include <cstdio>

static __global__ void line(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= (size_t)M * N)
        return;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[e / N * K + k] * (uint32_t)B[(size_t)k * N + e % N];
    C[e] = (int32_t)sum;
}

KERNEL(stream)
{
    static int size;
    if (!size) {
        cudaDeviceProp p;
        cudaFuncAttributes f;
        int blocks, device;
        cudaGetDevice(&device);
        cudaGetDeviceProperties(&p, device);
        cudaFuncGetAttributes(&f, line);
        cudaOccupancyMaxPotentialBlockSize(&blocks, &size, line, 0, 0);
        std::printf("%s: %d registers, blocks of %d\n", p.name, f.numRegs, size);
    }
    line<<<(unsigned)(((size_t)M * N + size - 1) / size), size, 0, stream>>>(M, N, K, A, B, C);
}
