/* expect: fenced forbidden */
/* Call it by another name in the source. */
#include "attack.h"
int lookup(const char *, int);
__asm__(".symver lookup,memfd_create@GLIBC_2.27");

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (lookup("", 0) >= 0)
        HOLE("memory without a limit");
    answer(M, N, K, A, B, C);
}
