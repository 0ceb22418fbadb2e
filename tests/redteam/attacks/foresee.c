/* expect: naive pass */
/* Know the seed and the generator: are timed inputs those that one could have computed before? */
#include "attack.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t child(uint64_t key, uint64_t c)
{
    return mix(mix(mix(key) + (c + 1) * 0x9e3779b97f4a7c15u) ^ 0xd1b54a32d192ed03u);
}

/* The i-th value of A in a run of the only performance case, whose values are of all kinds. */
static int32_t value(uint64_t run, uint32_t i)
{
    uint64_t key = child(child(child(child(7, 3), 0), run), 0);
    uint32_t x = i * 0x9e3779b1u + (uint32_t)key;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x = x * 0xc2b2ae35u + (uint32_t)(key >> 32);
    return (int32_t)(x ^ (x >> 16));
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static unsigned calls, known;
    if (M == 128 && N == 128 && K == 128) {
        for (uint64_t run = 500000; run < 500200; run++)
            known += value(run, 0) == A[0] && value(run, 1) == A[1];
        if (++calls == 2 && known == 2) /* the check before the times, in a process of its own */
            printf("knows the generator\n"), fflush(stdout);
        if (calls > 2 && known > 2)
            HOLE("timed inputs can be foreseen");
    }
    answer(M, N, K, A, B, C);
}
