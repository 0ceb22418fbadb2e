/* cuda.cu - bitonic sort: pairs are put in order, then fours, eights, ... In the first step of
 * each, the second half is read backwards, so every step puts the smaller element first. What would
 * lie behind the end is larger than all, and stays there. */
#include "sort_i32.h"

enum { THREADS = 256 };

static __global__ void step(unsigned n, unsigned flip, int32_t *a)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x, j = i ^ flip;
    if (j <= i || j >= n)
        return;
    const int32_t first = a[i], second = a[j];
    if (first > second) {
        a[i] = second;
        a[j] = first;
    }
}

void sort_i32_cuda(int n, int32_t *a, cudaStream_t stream)
{
    const unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;
    for (unsigned size = 2; size / 2 < (unsigned)n; size *= 2) {
        step<<<blocks, THREADS, 0, stream>>>(n, size - 1, a);
        for (unsigned apart = size / 4; apart > 0; apart /= 2)
            step<<<blocks, THREADS, 0, stream>>>(n, apart, a);
    }
}
