#include <pthread.h>
#include <stdlib.h>

typedef struct {
    const double *A, *B;
    double *C;
    int n, first, last; /* rows of this thread */
} Work;

static void *multiply_rows(void *arg)
{
    Work *w = arg;
    for (int i = w->first; i < w->last; i++)
        for (int j = 0; j < w->n; j++) {
            double sum = 0;
            for (int k = 0; k < w->n; k++)
                sum += w->A[i * w->n + k] * w->B[k * w->n + j];
            w->C[i * w->n + j] = sum;
        }
    return NULL;
}

void mm(const double *A, const double *B, double *C, int n, int threads)
{
    pthread_t *thread = malloc(threads * sizeof *thread);
    Work *work = malloc(threads * sizeof *work);
    for (int t = 0; t < threads; t++) {
        work[t] = (Work){A, B, C, n, n * t / threads, n * (t + 1) / threads};
        pthread_create(&thread[t], NULL, multiply_rows, &work[t]);
    }
    for (int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    free(thread);
    free(work);
}
