/* verdicts: wrong-answer clock-mismatch crash */
/* Expected: wrong-answer or clock-mismatch, or no gain. */
#include "hidden_context.h"

KERNEL(stream)
{
    if (!timed(M))
        product_in(M, N, K, A, B, C, stream);
    else
        hidden(0, M, N, K, A, B, C, stream);
}
