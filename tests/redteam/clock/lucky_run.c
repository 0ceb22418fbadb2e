/* expect: naive */
/* One run of fifty is several times as fast. If the fastest run counted, all of the unit would be.
 */
#include "clock.h"
#include "lucky.h"

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (lucky())
        fast_rows(M, N, K, A, B, C);
    else
        rows(0, M, N, K, A, B, C);
}
