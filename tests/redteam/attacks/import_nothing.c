/* expect: fenced build-error */
/* Not an attack: a helper was forgotten, or misspelt. */
#include "attack.h"
void answer_in_tiles(int, int, int, const int32_t *, const int32_t *, int32_t *);

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer_in_tiles(M, N, K, A, B, C);
    answer(M, N, K, A, B, C);
}
