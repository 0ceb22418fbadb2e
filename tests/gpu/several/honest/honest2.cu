/* Peer copies, ordered by events. */
#include "halves.h"

KERNEL(stream)
{
    if (one(M, N, K, A, B, C, stream))
        return;
    const int rows = M / 2, rest = M - rows, last = gpus - 1;
    const size_t a = (size_t)rest * K, b = (size_t)K * N, c = (size_t)rest * N;
    cudaEventRecord(begin, stream);
    cudaSetDevice(last);
    int32_t *p = room(a + b + c);
    cudaStreamWaitEvent(own, begin, 0);
    cudaMemcpyPeerAsync(p, last, A + (size_t)rows * K, 0, a * 4, own);
    cudaMemcpyPeerAsync(p + a, last, B, 0, b * 4, own);
    product_in(rest, N, K, p, p + a, p + a + b, own);
    cudaMemcpyPeerAsync(C + (size_t)rows * N, 0, p + a + b, last, c * 4, own);
    cudaEventRecord(done, own);
    cudaSetDevice(0);
    product_in(rows, N, K, A, B, C, stream);
    cudaStreamWaitEvent(stream, done, 0);
}
