/* expect: naive crash */
/* Make the driver fail for lack of address space. */
#include "attack.h"
#include <sys/resource.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct rlimit r = {4096, 4096};
    answer(M, N, K, A, B, C);
    setrlimit(RLIMIT_AS, &r);
}
