/* sort.c - trusted sources of 40 to 44: insertion, except where numbers alone are sorted. */
#include <complex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void sort_by_magnitude(int n, double complex *z, double *square)
{
    for (int i = 0; i < n; i++) {
        const double complex moved = z[i];
        const double own = creal(moved) * creal(moved) + cimag(moved) * cimag(moved);
        int to = i;
        for (; to > 0 && square[to - 1] > own; to--) {
            z[to] = z[to - 1];
            square[to] = square[to - 1];
        }
        z[to] = moved;
        square[to] = own;
    }
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int kth_smallest(int n, const int *x, int k)
{
    int *y = malloc(sizeof *y * (size_t)n);
    memcpy(y, x, sizeof *y * (size_t)n);
    qsort(y, (size_t)n, sizeof *y, by_number);
    const int found = y[k];
    free(y);
    return found;
}

void ranks(int n, const float *x, uint64_t *rank)
{
    for (int i = 0; i < n; i++) {
        rank[i] = 0;
        for (int j = 0; j < n; j++)
            rank[i] += x[j] < x[i];
    }
}

void sort_records(int n, int *start, int *duration, float *value)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && start[j - 1] > start[j]; j--) {
            const int s = start[j], d = duration[j];
            const float v = value[j];
            start[j] = start[j - 1];
            duration[j] = duration[j - 1];
            value[j] = value[j - 1];
            start[j - 1] = s;
            duration[j - 1] = d;
            value[j - 1] = v;
        }
}

void sort_nonzero(int n, int *x)
{
    int *y = malloc(sizeof *y * (size_t)n), count = 0;
    for (int i = 0; i < n; i++)
        if (x[i])
            y[count++] = x[i];
    qsort(y, (size_t)count, sizeof *y, by_number);
    for (int i = n - 1; i >= 0; i--)
        if (x[i])
            x[i] = y[--count];
    free(y);
}
