/* verdicts: pass */
/* says: opens 1 GPU files [(]0 by number[)].*has memory of [01]$ */
/* Expected: it sees and has one GPU. */
#include "second_cuda.h"

KERNEL(stream)
{
    product_in(M, N, K, A, B, C, stream);
    if (timed(M))
        return;
    cudaStreamSynchronize(stream);
    if (!said[0])
        look_around();
    tell();
}
