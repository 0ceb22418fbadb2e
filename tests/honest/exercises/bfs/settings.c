/* openmp: It sets OpenMP's variables for itself, asks for them, and changes what can be changed by
 * calls: some have an effect, some come too late. */
#include "lists.h"
#include <omp.h>
#include <stdlib.h>

void bfs(int n, int m, const int32_t *from, const int32_t *to, int32_t *parent)
{
    setenv("OMP_NUM_THREADS", "2", 1);
    setenv("OMP_SCHEDULE", "dynamic,16", 1);
    setenv("OMP_STACKSIZE", "64M", 1);
    putenv((char[]){"OMP_WAIT_POLICY=active"});
    unsetenv("OMP_WAIT_POLICY");
    omp_set_schedule(omp_sched_guided, 4);
    omp_set_max_active_levels(2);
    omp_set_dynamic(getenv("OMP_DYNAMIC") == NULL);
    int32_t *level = malloc(((size_t)n + 1) * sizeof *level);
    int more = 1;
    for (int i = 0; i < n; i++) {
        parent[i] = i ? -1 : 0;
        level[i] = i ? -1 : 0;
    }
    for (int depth = 0; more; depth++) {
        more = 0;
#pragma omp parallel for schedule(runtime) reduction(| : more)
        for (int e = 0; e < m; e++)
            for (int way = 0; way < 2; way++) {
                const int32_t a = way ? to[e] : from[e], b = way ? from[e] : to[e];
                int32_t none = -1;
                if (__atomic_load_n(&level[a], __ATOMIC_ACQUIRE) != depth)
                    continue;
                if (__atomic_compare_exchange_n(&level[b], &none, depth + 1, 0, __ATOMIC_ACQ_REL,
                                                __ATOMIC_ACQUIRE)) {
                    parent[b] = a;
                    more = 1;
                }
            }
    }
    free(level);
}
