/* expect: naive */
/* All runs of one process of fifty are several times as fast. If the fastest start counted, all of
 * the unit would be. */
#include "clock.h"
#include "lucky.h"

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int is_lucky = -1;
    if (is_lucky < 0)
        is_lucky = lucky();
    if (is_lucky)
        fast_rows(M, N, K, A, B, C);
    else
        rows(0, M, N, K, A, B, C);
}
