/* expect: naive crash|wrong-answer|forbidden */
/* Make the driver fail for lack of descriptors: is that called the grader's fault? */
#include "attack.h"
#include <sys/resource.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct rlimit r = {0, 0};
    answer(M, N, K, A, B, C);
    setrlimit(RLIMIT_NOFILE, &r);
}
