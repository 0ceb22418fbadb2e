/* expect: wrong-answer crash wrote-out-of-bounds
 * Returns at once; a thread computes later, when the clock has stopped: into the C of its own case,
 * which may lie around the smaller one of the case that is on by then. */
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
