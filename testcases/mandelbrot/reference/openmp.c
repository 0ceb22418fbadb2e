/* openmp.c - rows that take long are near each other, so threads get them one by one. */
#include "mandelbrot.h"

static int32_t count_at(double cx, double cy, int most)
{
    double x = 0, y = 0;
    int32_t n = 0;
    while (n < most && x * x + y * y <= 4) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            count[(long)i * w + j] = count_at(left + j * step, top - i * step, most);
}
