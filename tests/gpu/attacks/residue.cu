/* verdicts: pass */
/* says: not zero: 0 of [1-9][0-9]* 16-byte words of memory, 0 words of shared, 0 of local */
/* What other processes have left in memory of the GPU that this process gets, in shared memory and
 * in memory of threads. Expected: zeros. */
#include "side.h"

static __global__ void count_memory(const uint4 *p, size_t n, unsigned long long *nonzero)
{
    unsigned long long mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine += (p[i].x | p[i].y | p[i].z | p[i].w) != 0;
    if (mine)
        atomicAdd(nonzero, mine);
}

static __global__ void count_shared(unsigned words, unsigned long long *nonzero)
{
    extern __shared__ volatile uint32_t s[];
    unsigned long long mine = 0;
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        mine += s[i] != 0;
    if (mine)
        atomicAdd(nonzero, mine);
}

static __global__ void count_local(unsigned turn, unsigned long long *nonzero)
{
    volatile uint32_t mine[1024];
    unsigned found = 0;
    for (unsigned i = 0; i < 1024; i++)
        found += mine[(i + turn) % 1024] != 0;
    if (found)
        atomicAdd(nonzero, (unsigned long long)found);
}

static void search()
{
    const size_t each = (size_t)2 << 30;
    unsigned long long *n;
    void *got[8] = {};
    size_t memory = 0;
    const int shared = 200 << 10;
    cudaMallocManaged(&n, 3 * sizeof *n);
    n[0] = n[1] = n[2] = 0;
    cudaFuncSetAttribute(count_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    for (int i = 0; i < 8; i++) {
        count_shared<<<528, 256, shared>>>(shared / 4, n + 1);
        count_local<<<528, 256>>>(i, n + 2);
    }
    for (int i = 0; i < 8; i++)
        if (cudaMalloc(&got[i], each) == cudaSuccess) {
            count_memory<<<1056, 256>>>((const uint4 *)got[i], each / 16, n);
            memory += each;
        }
    const cudaError_t e = cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        cudaFree(got[i]);
    cudaGetLastError();
    say("%s: not zero: %llu of %zu 16-byte words of memory, %llu words of shared, %llu of local "
        "memory",
        cudaGetErrorName(e), n[0], memory / 16, n[1], n[2]);
}

KERNEL(stream)
{
    if (!said[0] && !timed(M))
        search();
    product_in(M, N, K, A, B, C, stream);
    if (!timed(M))
        tell();
}
