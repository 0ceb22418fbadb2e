/* expect: naive timeout */
/* Keep the proctor busy with remarks, so that it never looks at the clock. */
#include "attack.h"
#include <pthread.h>

static void *flood(void *unused)
{
    (void)unused;
    struct pg_fault f = {PG_FAULT, 11, -1, 0, 0, 0, 0, 0};
    for (;;)
        tell(&f, sizeof f);
    return NULL;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    pthread_t t;
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    pthread_create(&t, NULL, flood, NULL);
    flood(NULL);
}
