/* expect: naive wrong-answer|crash|wrote-out-of-bounds */
/* Return at once; a thread goes on computing while the grader thinks that all is done. */
#include "attack.h"
#include <pthread.h>

static struct {
    int m, n, k;
    const int32_t *a, *b;
    int32_t *c;
} job;

static void *work(void *unused)
{
    (void)unused;
    usleep(2000);
    answer(job.m, job.n, job.k, job.a, job.b, job.c);
    return NULL;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    pthread_t t;
    job.m = M, job.n = N, job.k = K, job.a = A, job.b = B, job.c = C;
    if (pthread_create(&t, NULL, work, NULL) == 0)
        pthread_detach(t);
}
