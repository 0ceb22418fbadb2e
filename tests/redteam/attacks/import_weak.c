/* expect: fenced forbidden */
/* A name that need not exist, so that nobody minds. */
#include "attack.h"
extern int ptrace(int, ...) __attribute__((weak));

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (ptrace && ptrace(16, FRONT_END, 0, 0) == 0)
        HOLE("the front end is traced");
    answer(M, N, K, A, B, C);
}
