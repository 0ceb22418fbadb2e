/* cleo: odd-even transposition, with one phase too few. */
#include "sort_i32.h"

void sort_i32(int n, int32_t *a)
{
    for (int phase = 0; phase < n - 1; phase++)
#pragma omp parallel for
        for (int i = phase % 2; i < n - 1; i += 2)
            if (a[i] > a[i + 1]) {
                const int32_t t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
}
