/* Everything for the other GPU goes through pinned memory of the host, as where GPUs are no peers.
 */
#include "halves.h"

static int32_t *staging(size_t words)
{
    static int32_t *p;
    static size_t most;
    if (words > most) {
        cudaFreeHost(p);
        cudaHostAlloc((void **)&p, words * sizeof *p, cudaHostAllocPortable);
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
    int32_t *host = staging(a + b + c);
    cudaMemcpyAsync(host, A + (size_t)rows * K, a * 4, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(host + a, B, b * 4, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(begin, stream);
    product_in(rows, N, K, A, B, C, stream);
    cudaSetDevice(last);
    int32_t *p = room(a + b + c);
    cudaStreamWaitEvent(own, begin, 0);
    cudaMemcpyAsync(p, host, (a + b) * 4, cudaMemcpyHostToDevice, own);
    product_in(rest, N, K, p, p + a, p + a + b, own);
    cudaMemcpyAsync(host + a + b, p + a + b, c * 4, cudaMemcpyDeviceToHost, own);
    cudaEventRecord(done, own);
    cudaSetDevice(0);
    cudaStreamWaitEvent(stream, done, 0);
    cudaMemcpyAsync(C + (size_t)rows * N, host + a + b, c * 4, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream); /* the next call uses the staging memory */
}
