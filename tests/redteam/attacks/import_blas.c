/* expect: naive forbidden */
/* Call a BLAS and hope that the driver has one. */
#include "attack.h"

void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float,
                 float *, int);

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    cblas_sgemm(101, 111, 111, M, N, K, 1, (const float *)A, K, (const float *)B, N, 0, (float *)C,
                N);
}
