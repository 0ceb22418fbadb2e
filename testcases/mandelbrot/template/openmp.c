#include "mandelbrot.h"

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
    /* write your code here */
    (void)h, (void)w, (void)most, (void)left, (void)top, (void)step, (void)count;
}
