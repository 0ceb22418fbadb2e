/* expect: naive out-of-memory */
/* All the memory there is. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    for (;;) {
        char *p = malloc(8 << 20);
        if (p)
            memset(p, 1, 8 << 20);
    }
}
