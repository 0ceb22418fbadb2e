/* openmp: A pool of threads of its own, which lives from call to call and sleeps between; each
 * level of the graph is a round. */
#include "lists.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 2 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t go, done;
    unsigned round;
    int left;
    const int32_t *from, *to;
    int32_t *parent;
    _Atomic int32_t *level;
    int m, depth;
    atomic_int more;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .go = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void share(int rank)
{
    const int first = (int)((int64_t)pool.m * rank / THREADS),
              end = (int)((int64_t)pool.m * (rank + 1) / THREADS);
    for (int e = first; e < end; e++)
        for (int way = 0; way < 2; way++) {
            const int32_t a = way ? pool.to[e] : pool.from[e], b = way ? pool.from[e] : pool.to[e];
            int32_t none = -1;
            if (pool.level[a] == pool.depth &&
                atomic_compare_exchange_strong(&pool.level[b], &none, pool.depth + 1)) {
                pool.parent[b] = a;
                pool.more = 1;
            }
        }
}

static void *follow(void *rank)
{
    pthread_mutex_lock(&pool.lock);
    for (unsigned last = 0;; last = pool.round) {
        while (pool.round == last)
            pthread_cond_wait(&pool.go, &pool.lock);
        pthread_mutex_unlock(&pool.lock);
        share((int)(intptr_t)rank);
        pthread_mutex_lock(&pool.lock);
        if (--pool.left == 0)
            pthread_cond_signal(&pool.done);
    }
    return NULL;
}

static void run_round(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.left = THREADS - 1;
    pool.round++;
    pthread_cond_broadcast(&pool.go);
    pthread_mutex_unlock(&pool.lock);
    share(0);
    pthread_mutex_lock(&pool.lock);
    while (pool.left)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void bfs(int n, int m, const int32_t *from, const int32_t *to, int32_t *parent)
{
    static int started;
    for (; started < THREADS - 1; started++) {
        pthread_t t;
        if (pthread_create(&t, NULL, follow, (void *)(intptr_t)(started + 1)) == 0)
            pthread_detach(t);
    }
    pool.from = from;
    pool.to = to;
    pool.parent = parent;
    pool.m = m;
    pool.level = malloc(((size_t)n + 1) * sizeof *pool.level);
    for (int i = 0; i < n; i++) {
        parent[i] = i ? -1 : 0;
        pool.level[i] = i ? -1 : 0;
    }
    pool.depth = 0;
    do {
        pool.more = 0;
        run_round();
        pool.depth++;
    } while (pool.more);
    free(pool.level);
}
