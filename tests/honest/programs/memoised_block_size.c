/* tier: naive */
/* Remembers a plan for each shape it has seen. */
#include "honest.h"

GEMM
{
    static struct {
        int M, N, K, block;
    } seen[64];
    static int count;
    int p = 0;
    while (p < count && (seen[p].M != M || seen[p].N != N || seen[p].K != K))
        p++;
    if (p == count) {
        p = count = count < 63 ? count + 1 : count;
        seen[p].M = M, seen[p].N = N, seen[p].K = K;
        seen[p].block = M > N ? 8 : 32;
    }
    for (int i = 0; i < M; i += seen[p].block)
        rows(i, least(M, i + seen[p].block), N, K, A, B, C);
}
