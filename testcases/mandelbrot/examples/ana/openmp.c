/* ana: all points are one loop; the squares are kept for the next step. */
#include "mandelbrot.h"

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
#pragma omp parallel for collapse(2) schedule(guided)
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            const double cx = left + j * step, cy = top - i * step;
            double x = 0, y = 0, xx = 0, yy = 0;
            int32_t n = 0;
            for (; n < most && xx + yy <= 4; n++) {
                y = 2 * x * y + cy;
                x = xx - yy + cx;
                xx = x * x;
                yy = y * y;
            }
            count[(long)i * w + j] = n;
        }
}
