/* tier: naive */
/* A weak symbol, an alias, hot and cold functions. */
#include "honest.h"

__attribute__((weak)) int block_rows(void);
__attribute__((weak)) int block_rows(void)
{
    return 8;
}
extern int rows_of_a_block(void) __attribute__((alias("block_rows")));

__attribute__((cold, noinline)) static void empty(void)
{
    abort();
}

__attribute__((hot, flatten)) static void all(const struct job *j, int step)
{
    if (__builtin_expect(j->M < 1, 0))
        empty();
    for (int i = 0; i < j->M; i += step)
        rows(i, least(j->M, i + step), j->N, j->K, j->A, j->B, j->C);
}

GEMM
{
    const struct job j = {M, N, K, A, B, C};
    all(&j, rows_of_a_block());
}
