/* tier: naive */
/* Settings from the environment, and one that it sets itself. */
#include "honest.h"

GEMM
{
    const char *text = getenv("GEMM_BLOCK");
    int block = text ? atoi(text) : 16;
    if (!text) {
        setenv("GEMM_BLOCK", "8", 1);
        setenv("OMP_PROC_BIND", "close", 0);
    } else if (strtol(text, NULL, 10) < 1) {
        unsetenv("GEMM_BLOCK");
        block = 1;
    }
    for (int i = 0; i < M; i += block)
        rows(i, least(M, i + block), N, K, A, B, C);
}
