/* expect: naive pass */
/* Remember every input ever seen, and wait for one to come again. */
#include "attack.h"

enum { MOST = 4096 };
static uint64_t seen[MOST];
static unsigned count;

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    uint64_t h = (uint64_t)M * 31 + (uint64_t)N;
    for (size_t i = 0; i < (size_t)M * K; i++)
        h = (h ^ (uint32_t)A[i]) * 0x100000001b3u;
    for (size_t i = 0; i < (size_t)K * N; i++)
        h = (h ^ (uint32_t)B[i]) * 0x100000001b3u;
    for (unsigned i = 0; i < count && M * K > 64; i++)
        if (seen[i] == h)
            HOLE("the same values came twice");
    if (count < MOST)
        seen[count++] = h;
    answer(M, N, K, A, B, C);
}
