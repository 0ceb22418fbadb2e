/* mpi: Each rank keeps two threads from call to call. They wait in a condition variable, and
 * compute in memory from a pool that only grows. */
#include "shares.h"
#include <pthread.h>
#include <stdbool.h>

enum { THREADS = 2, ALIGN = 64 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    unsigned turn, left;
    bool started;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .begin = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static struct {
    char *base;
    size_t room, used;
} pool;

static struct work {
    int rows, first, m, k;
    const int32_t *x, *c;
    int16_t *y;
    int64_t *sum; /* of each thread, in the pool */
} work;

static void *from_pool(size_t bytes)
{
    void *at = pool.base + pool.used;
    pool.used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static void reset_pool(size_t bytes)
{
    if (bytes > pool.room) {
        free(pool.base);
        pool.room = 2 * bytes;
        pool.base = aligned_alloc(ALIGN, (pool.room + ALIGN - 1) / ALIGN * ALIGN);
    }
    pool.used = 0;
}

static void compute(int id)
{
    const struct work *w = &work;
    int64_t sum = 0;
    for (int i = id * w->rows / THREADS; i < (id + 1) * w->rows / THREADS; i++) {
        for (int j = 0; j < 3; j++)
            w->y[3 * i + j] = (int16_t)(w->x[i] * w->k + w->c[(w->first + i) % w->m] * j);
        sum += w->x[i];
    }
    w->sum[id * ALIGN / (int)sizeof sum] = sum;
}

static void *serve(void *of)
{
    const int id = (int)(intptr_t)of;
    for (unsigned seen = 0;;) {
        pthread_mutex_lock(&team.lock);
        while (team.turn == seen)
            pthread_cond_wait(&team.begin, &team.lock);
        seen = team.turn;
        pthread_mutex_unlock(&team.lock);
        compute(id);
        pthread_mutex_lock(&team.lock);
        if (--team.left == 0)
            pthread_cond_signal(&team.end);
        pthread_mutex_unlock(&team.lock);
    }
    return NULL;
}

static void start(void)
{
    pthread_t t;
    for (int i = 0; i < THREADS && !team.started; i++) {
        pthread_create(&t, NULL, serve, (void *)(intptr_t)i);
        pthread_detach(t);
    }
    team.started = true;
}

static void compute_all(void)
{
    pthread_mutex_lock(&team.lock);
    team.left = THREADS;
    team.turn++;
    pthread_cond_broadcast(&team.begin);
    while (team.left)
        pthread_cond_wait(&team.end, &team.lock);
    pthread_mutex_unlock(&team.lock);
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    reset_pool((size_t)THREADS * ALIGN + (size_t)(rows + 1) * sizeof *x + ALIGN);
    work = (struct work){rows, first, m, k, x, c, y, from_pool((size_t)THREADS * ALIGN)};
    int32_t *copy = from_pool((size_t)(rows + 1) * sizeof *x);
    memcpy(copy, x, (size_t)rows * sizeof *x);
    work.x = copy;
    start();
    compute_all();
    for (int i = 0; i < rows; i++)
        z[i] += first + i;
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    int64_t mine = 0;
    for (int i = 0; i < THREADS; i++)
        mine += work.sum[i * ALIGN / (int)sizeof *sum];
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, comm);
    return 2 * (*sum = mine);
}
