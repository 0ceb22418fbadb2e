/* expect: crash: the second GPU writes to no memory */
#include "kernel.h"

static __global__ void write_nowhere()
{
    *(volatile int *)8 = 0;
}

KERNEL(stream)
{
    int visible = 1;
    dim3 block(32, 8);
    cudaGetDeviceCount(&visible);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    if (visible < 2)
        return;
    cudaSetDevice(1);
    write_nowhere<<<1, 1>>>();
}
