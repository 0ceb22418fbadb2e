/* Take all of the GPU's memory, say so, and keep it until killed. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <unistd.h>

int main()
{
    void *p;
    for (size_t n = (size_t)1 << 36; n >= (size_t)1 << 20;)
        if (cudaMalloc(&p, n) != cudaSuccess) {
            cudaGetLastError();
            n /= 2;
        }
    puts("taken");
    fflush(stdout);
    pause();
    return 0;
}
