/* Wrong: M / threads rows for each thread. The rows that remain are computed by nobody. */
#include <pthread.h>
#include <stdlib.h>

#include "gemm.h"

struct part {
    int first, end, N, K;
    const float *A, *B;
    float *C;
};

static void *rows(void *arg)
{
    const struct part *p = arg;
    for (int i = p->first; i < p->end; i++) {
        float *c = p->C + (size_t)i * p->N;
        for (int j = 0; j < p->N; j++)
            c[j] = 0;
        for (int k = 0; k < p->K; k++)
            for (int j = 0; j < p->N; j++)
                c[j] += p->A[(size_t)i * p->K + k] * p->B[(size_t)k * p->N + j];
    }
    return NULL;
}

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    const char *count = getenv("OMP_NUM_THREADS");
    const int threads = count ? atoi(count) : 1, share = M / threads;
    pthread_t *id = malloc(sizeof *id * threads);
    struct part *p = malloc(sizeof *p * threads);
    for (int t = 0; t < threads; t++) {
        p[t] = (struct part){t * share, (t + 1) * share, N, K, A, B, C};
        pthread_create(&id[t], NULL, rows, &p[t]);
    }
    for (int t = 0; t < threads; t++)
        pthread_join(id[t], NULL);
    free(id);
    free(p);
}
