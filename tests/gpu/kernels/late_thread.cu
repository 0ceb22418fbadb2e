/* expect: wrong-answer crash
 * Returns at once; a thread computes later, when the clock has stopped. */
#include <thread>
#include <unistd.h>

#include "kernel.h"

KERNEL(stream)
{
    std::thread([=] {
        usleep(100000);
        dim3 block(32, 8);
        plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    }).detach();
}
