/* Waits for the whole device in the call, and asks for errors. */
#include "kernel.h"
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                   \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

KERNEL(stream)
{
    dim3 block(32, 8);
    CHECK(cudaDeviceSynchronize());
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaDeviceSynchronize());
}
