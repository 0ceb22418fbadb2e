/* tier: openmp */
/* Rows handed out in a critical section, under a lock, under a nested lock. */
#include "honest.h"
#include <omp.h>

GEMM
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int next = 0, done = 0, checked = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    for (;;) {
        int i;
#pragma omp critical(hand_out) hint(omp_sync_hint_contended)
        i = next++;
        if (i >= M)
            break;
        rows(i, i + 1, N, K, A, B, C);
        omp_set_lock(&lock);
        done++;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        checked++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    if (done != M || checked != M)
        abort();
}
