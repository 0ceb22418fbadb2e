/* Managed memory, prefetched to the other GPU and back. */
#include "halves.h"

static int32_t *managed(size_t words)
{
    static int32_t *p;
    static size_t most;
    if (words > most) {
        cudaFree(p);
        cudaMallocManaged(&p, words * sizeof *p);
        most = words;
    }
    return p;
}

KERNEL(stream)
{
    if (one(M, N, K, A, B, C, stream))
        return;
    const int rows = M / 2, rest = M - rows, last = gpus - 1;
    const size_t a = (size_t)rest * K, b = (size_t)K * N, c = (size_t)rest * N;
    int32_t *p = managed(a + b + c);
    const cudaMemLocation there = {cudaMemLocationTypeDevice, last},
                          here = {cudaMemLocationTypeDevice, 0};
    cudaMemcpyAsync(p, A + (size_t)rows * K, a * 4, cudaMemcpyDefault, stream);
    cudaMemcpyAsync(p + a, B, b * 4, cudaMemcpyDefault, stream);
    cudaMemPrefetchAsync(p, (a + b + c) * 4, there, 0, stream);
    cudaEventRecord(begin, stream);
    product_in(rows, N, K, A, B, C, stream);
    cudaSetDevice(last);
    cudaStreamWaitEvent(own, begin, 0);
    product_in(rest, N, K, p, p + a, p + a + b, own);
    cudaEventRecord(done, own);
    cudaSetDevice(0);
    cudaStreamWaitEvent(stream, done, 0);
    cudaMemPrefetchAsync(p + a + b, c * 4, here, 0, stream);
    cudaMemcpyAsync(C + (size_t)rows * N, p + a + b, c * 4, cudaMemcpyDefault, stream);
}
