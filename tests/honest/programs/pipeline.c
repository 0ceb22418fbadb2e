/* tier: openmp */
/* One thread packs, one multiplies, two buffers between them. */
#include "honest.h"
#include <pthread.h>
#include <semaphore.h>

enum { DEEP = 8 };
static struct job job;
static int32_t *buffer[2];
static sem_t full, empty;

static void *pack(void *p)
{
    (void)p;
    for (int k0 = 0, b = 0; k0 < job.K; k0 += DEEP, b = !b) {
        while (sem_wait(&empty) != 0)
            ;
        memcpy(buffer[b], job.B + (size_t)k0 * job.N,
               (size_t)least(DEEP, job.K - k0) * job.N * sizeof *job.B);
        sem_post(&full);
    }
    return NULL;
}

GEMM
{
    pthread_t t;
    job = (struct job){M, N, K, A, B, C};
    buffer[0] = malloc(2 * (size_t)DEEP * N * sizeof *B);
    buffer[1] = buffer[0] + (size_t)DEEP * N;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 2);
    if (pthread_create(&t, NULL, pack, NULL) != 0)
        abort();
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0, b = 0; k0 < K; k0 += DEEP, b = !b) {
        while (sem_wait(&full) != 0)
            ;
        for (int i = 0; i < M; i++)
            for (int k = 0; k < least(DEEP, K - k0); k++)
                for (int j = 0; j < N; j++)
                    C[(size_t)i * N + j] +=
                        A[(size_t)i * K + k0 + k] * buffer[b][(size_t)k * N + j];
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    free(buffer[0]);
}
