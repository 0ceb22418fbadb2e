/* expect: naive crash */
/* Hang up on the proctor but live on. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    for (;;)
        pause();
}
