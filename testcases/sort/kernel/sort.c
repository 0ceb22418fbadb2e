/* The trusted source: insertion into a heap, as simple as it can be and still quick. */
#include "sort_i32.h"

static void sink(int32_t *a, int n, int i)
{
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[i] >= a[child])
            return;
        const int32_t t = a[i];
        a[i] = a[child];
        a[child] = t;
    }
}

void sort_i32(int n, int32_t *a)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sink(a, n, i);
    for (int end = n - 1; end > 0; end--) {
        const int32_t t = a[0];
        a[0] = a[end];
        a[end] = t;
        sink(a, end, 0);
    }
}
