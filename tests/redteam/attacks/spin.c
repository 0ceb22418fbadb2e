/* expect: naive pass */
/* A thread that never sleeps, ready to look at the next inputs should somebody wake it. */
#include "attack.h"
#include <pthread.h>

static void *spin(void *unused)
{
    for (;;)
        __asm__ volatile("pause");
    return unused;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int done;
    pthread_t t;
    if (!done++)
        pthread_create(&t, NULL, spin, NULL);
    answer(M, N, K, A, B, C);
}
