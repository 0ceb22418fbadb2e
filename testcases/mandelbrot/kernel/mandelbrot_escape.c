/* The second source: it notes when a point escapes, and fills in the others first. */
#include "mandelbrot.h"

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
    for (long p = 0; p < (long)h * w; p++) {
        const int i = (int)(p / w), j = (int)(p % w);
        const double cx = left + j * step, cy = top - i * step;
        double x = 0, y = 0, xx = 0, yy = 0;
        count[p] = most;
        for (int32_t n = 0; n < most; n++) {
            if (xx + yy > 4) {
                count[p] = n;
                break;
            }
            y = (x + x) * y + cy;
            x = xx - yy + cx;
            xx = x * x;
            yy = y * y;
        }
    }
}
