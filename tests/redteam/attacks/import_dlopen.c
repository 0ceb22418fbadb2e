/* expect: naive forbidden */
/* Load a library that does the work. */
#include "attack.h"
#include <dlfcn.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    void *blas = dlopen("libopenblas.so.0", RTLD_NOW);
    (void)blas;
    answer(M, N, K, A, B, C);
}
