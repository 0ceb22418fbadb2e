/* expect: naive forbidden */
/* As many threads as there can be. */
#include "attack.h"
#include <pthread.h>

static void *idle(void *unused)
{
    (void)unused;
    for (;;)
        pause();
    return NULL;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    pthread_attr_t a;
    pthread_t t;
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 65536);
    for (int i = 0; i < 2000; i++)
        pthread_create(&t, &a, idle, NULL);
    idle(NULL);
}
