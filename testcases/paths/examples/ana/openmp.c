/* ana: threads share the rows, and rows without a way to k are left out. */
#include "paths.h"

void paths(int n, const int32_t *length, int32_t *dist)
{
#pragma omp parallel for
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = p / n == p % n ? 0 : length[p] ? length[p] : -1;
    for (long k = 0; k < n; k++) {
#pragma omp parallel for
        for (long i = 0; i < n; i++) {
            const int32_t there = dist[i * n + k];
            for (long j = 0; j < n && there >= 0 && i != k; j++) {
                const int32_t on = dist[k * n + j], best = dist[i * n + j];
                if (on >= 0 && (best < 0 || there + on < best))
                    dist[i * n + j] = there + on;
            }
        }
    }
}
