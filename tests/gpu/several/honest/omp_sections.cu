/* OpenMP: a section for each GPU, and the default streams of threads. */
#include "halves.h"

#include <omp.h>

KERNEL(stream)
{
    if (one(M, N, K, A, B, C, stream))
        return;
    const int rows = M / 2, rest = M - rows, last = gpus - 1;
    const size_t a = (size_t)rest * K, b = (size_t)K * N, c = (size_t)rest * N;
    cudaStreamSynchronize(stream);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            cudaSetDevice(0);
            product_in(rows, N, K, A, B, C, cudaStreamPerThread);
            cudaStreamSynchronize(cudaStreamPerThread);
        }
#pragma omp section
        {
            cudaSetDevice(last);
            int32_t *p = room(a + b + c);
            cudaMemcpyPeer(p, last, A + (size_t)rows * K, 0, a * 4);
            cudaMemcpyPeer(p + a, last, B, 0, b * 4);
            product_in(rest, N, K, p, p + a, p + a + b, cudaStreamPerThread);
            cudaStreamSynchronize(cudaStreamPerThread);
            cudaMemcpyPeer(C + (size_t)rows * N, 0, p + a + b, last, c * 4);
            cudaDeviceSynchronize();
        }
    }
    cudaSetDevice(0);
    cudaDeviceSynchronize();
}
