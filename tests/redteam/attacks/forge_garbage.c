/* expect: naive forbidden */
/* Send the proctor messages that no driver sends. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static const unsigned char noise[4000] = {0xff, 0xff, 0xff, 0xff, 1, 2, 3};
    tell(noise, 3);
    tell(noise, sizeof noise);
    answer(M, N, K, A, B, C);
}
