/* naive: alloca for everything, in a thread with a stack of 256 MiB. */
#include "lists.h"
#include <alloca.h>
#include <pthread.h>
#include <string.h>

struct work {
    int n, m;
    const int32_t *from, *to;
    int32_t *parent;
};

static void *search(void *of)
{
    const struct work *w = of;
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    int32_t *begin = alloca((n + 1) * sizeof *begin), *list = alloca((2 * m + 1) * sizeof *list),
            *queue = alloca((n + 1) * sizeof *queue);
    memset(begin, 0, (n + 1) * sizeof *begin);
    make_lists(w->n, w->m, w->from, w->to, begin, list);
    int head = 0, tail = 0;
    for (size_t i = 0; i < n; i++)
        w->parent[i] = -1;
    queue[tail++] = w->parent[0] = 0;
    for (; head < tail; head++)
        for (int32_t k = begin[queue[head]]; k < begin[queue[head] + 1]; k++)
            if (w->parent[list[k]] < 0) {
                w->parent[list[k]] = queue[head];
                queue[tail++] = list[k];
            }
    return NULL;
}

void bfs(int n, int m, const int32_t *from, const int32_t *to, int32_t *parent)
{
    struct work w = {n, m, from, to, parent};
    pthread_attr_t large;
    pthread_t t;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, (size_t)256 << 20);
    if (pthread_create(&t, &large, search, &w) == 0)
        pthread_join(t, NULL);
    pthread_attr_destroy(&large);
}
