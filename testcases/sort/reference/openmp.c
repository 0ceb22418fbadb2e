/* openmp.c - merge sort with a task for each half that is long enough. */
#include "sort_i32.h"

#include <stdlib.h>
#include <string.h>

enum { TASK_LEAST = 4096 };

static void merge(const int32_t *a, int n, const int32_t *b, int m, int32_t *to)
{
    int i = 0, j = 0;
    for (int k = 0; k < n + m; k++)
        to[k] = j == m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

static void merge_halves(int32_t *a, int n, int32_t *room)
{
    const int half = n / 2;
    merge(a, half, a + half, n - half, room);
    memcpy(a, room, (size_t)n * sizeof *a);
}

/* Even a task that is not deferred costs more than it takes to sort a few elements. */
static void sort_alone(int32_t *a, int n, int32_t *room)
{
    const int half = n / 2;
    if (n < 2)
        return;
    sort_alone(a, half, room);
    sort_alone(a + half, n - half, room + half);
    merge_halves(a, n, room);
}

static void sort(int32_t *a, int n, int32_t *room)
{
    const int half = n / 2;
    if (n < TASK_LEAST) {
        sort_alone(a, n, room);
        return;
    }
#pragma omp task
    sort(a, half, room);
    sort(a + half, n - half, room + half);
#pragma omp taskwait
    merge_halves(a, n, room);
}

void sort_i32(int n, int32_t *a)
{
    int32_t *room = malloc((size_t)n * sizeof *room);
#pragma omp parallel
#pragma omp single
    sort(a, n, room);
    free(room);
}
