/* A usual mistake: points are computed in single precision. */
#include "mandelbrot.h"

static int32_t count_at(float cx, float cy, int most)
{
    float x = 0, y = 0;
    int32_t n = 0;
    while (n < most && x * x + y * y <= 4) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            count[(long)i * w + j] =
                count_at((float)(left + j * step), (float)(top - i * step), most);
}
