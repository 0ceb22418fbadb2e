/* A thread of the host's that launches, joined before the call ends. */
#include "kernel.h"
#include <thread>

KERNEL(stream)
{
    std::thread t([=] {
        dim3 block(32, 8);
        cudaSetDevice(0);
        plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    });
    t.join();
}
