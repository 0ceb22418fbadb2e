/* tier: naive */
/* A list that grows by realloc while it is filled. */
#include "honest.h"

GEMM
{
    int32_t *list = NULL;
    size_t n = 0, have = 0;
    for (size_t i = 0; i < (size_t)K * N; i++) {
        if (n == have) {
            have = have ? 2 * have : 16;
            list = realloc(list, have * sizeof *list);
        }
        list[n++] = B[i];
    }
    list = reallocarray(list, n, sizeof *list);
    rows(0, M, N, K, A, list, C);
    free(list);
}
