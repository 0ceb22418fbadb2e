/* expect: naive mpi */
/* A helper says DONE while the main thread computes. */
#include "clock.h"

static void *helper(void *sequence)
{
    say_done(*(uint64_t *)sequence);
    return NULL;
}

static void perform(struct task *t)
{
    pthread_t h;
    if (pthread_create(&h, NULL, helper, &t->sequence) != 0)
        say_done(t->sequence);
    task_all(t);
    pthread_join(h, NULL);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    take_over(M, N, K, A, B, C, perform);
}
