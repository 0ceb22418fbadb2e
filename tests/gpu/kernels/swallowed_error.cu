/* expect: wrong-answer
 * The same, and the error is taken away before anybody sees it. */
#include "kernel.h"

KERNEL(stream)
{
    dim3 block(64, 64);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaGetLastError();
}
