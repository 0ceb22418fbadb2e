/* A host thread for each GPU, which waits for its own one. */
#include "halves.h"

#include <thread>

KERNEL(stream)
{
    if (one(M, N, K, A, B, C, stream))
        return;
    const int rows = M / 2, rest = M - rows, last = gpus - 1;
    const size_t a = (size_t)rest * K, b = (size_t)K * N, c = (size_t)rest * N;
    cudaStreamSynchronize(stream);
    std::thread other([=] {
        cudaSetDevice(last);
        int32_t *p = room(a + b + c);
        cudaMemcpyAsync(p, A + (size_t)rows * K, a * 4, cudaMemcpyDefault, own);
        cudaMemcpyAsync(p + a, B, b * 4, cudaMemcpyDefault, own);
        product_in(rest, N, K, p, p + a, p + a + b, own);
        cudaMemcpyAsync(C + (size_t)rows * N, p + a + b, c * 4, cudaMemcpyDefault, own);
        cudaStreamSynchronize(own);
    });
    std::thread first([=] {
        cudaSetDevice(0);
        product_in(rows, N, K, A, B, C, stream);
        cudaStreamSynchronize(stream);
    });
    first.join();
    other.join();
}
