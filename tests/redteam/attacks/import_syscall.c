/* expect: naive forbidden */
/* Enter the kernel through the C library's back door. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    syscall(SYS_fork);
    answer(M, N, K, A, B, C);
}
