/* expect: naive */
/* Two calls of three take three times as long: which of them are the ones that count? (HONEST: all
 * do.) */
#define OWN_HONEST
#include "clock.h"

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
#ifdef HONEST
    int often = 3;
#else
    int often = calls++ % 3 ? 3 : 1;
#endif
    for (int i = 0; i < often; i++)
        rows(0, M, N, K, A, B, C);
}
