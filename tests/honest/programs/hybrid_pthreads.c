/* tier: hybrid */
/* Threads of its own in each rank. */
#include "honest.h"
#include <pthread.h>

static struct share s;

static void *half(void *p)
{
    int n = s.to - s.from, h = (int)(intptr_t)p;
    rows(begin(n, h, 2), begin(n, h + 1, 2), s.N, s.K, s.A, s.B, s.C);
    return NULL;
}

GEMM_MPI
{
    pthread_t t;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    share_B(&s, B, comm);
    if (pthread_create(&t, NULL, half, (void *)1) != 0)
        MPI_Abort(comm, 1);
    half(NULL);
    pthread_join(t, NULL);
    share_C(&s, C, comm);
    share_free(&s);
}
