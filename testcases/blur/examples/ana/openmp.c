/* ana: a table of the sums of all rectangles that begin in the corner; unsigned sums may wrap. */
#include "blur.h"

#include <stdlib.h>

static int clamp(int i, int most)
{
    return i < 0 ? 0 : i > most ? most : i;
}

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    const long wide = (long)w + 1;
    uint32_t *sum = calloc(((size_t)h + 1) * (size_t)wide, sizeof *sum);
#pragma omp parallel
    {
#pragma omp for
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                sum[(y + 1) * wide + x + 1] = sum[(y + 1) * wide + x] + in[(long)y * w + x];
#pragma omp for
        for (int x = 1; x <= w; x++)
            for (int y = 0; y < h; y++)
                sum[(y + 1) * wide + x] += sum[y * wide + x];
#pragma omp for
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                const int top = clamp(y - r, h), end = clamp(y + r + 1, h);
                const int left = clamp(x - r, w), right = clamp(x + r + 1, w);
                const int count = (end - top) * (right - left);
                const uint32_t all = sum[end * wide + right] - sum[top * wide + right] -
                                     sum[end * wide + left] + sum[top * wide + left];
                out[(long)y * w + x] = (uint8_t)(((int)all + count / 2) / count);
            }
    }
    free(sum);
}
