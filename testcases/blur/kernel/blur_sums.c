/* The second source: a table of the sums of all rectangles that begin in the corner. */
#include "blur.h"

#include <stdlib.h>

static int clamp(int a, int low, int high)
{
    return a < low ? low : a > high ? high : a;
}

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    const long line = w + 1L;
    int64_t *sum = calloc((size_t)(h + 1) * (size_t)line, sizeof *sum);
    if (!sum)
        abort();
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            sum[(y + 1) * line + x + 1] = in[(long)y * w + x] + sum[y * line + x + 1] +
                                          sum[(y + 1) * line + x] - sum[y * line + x];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int top = clamp(y - r, 0, h), bottom = clamp(y + r + 1, 0, h);
            const int left = clamp(x - r, 0, w), right = clamp(x + r + 1, 0, w);
            const int64_t all = sum[bottom * line + right] - sum[top * line + right] -
                                sum[bottom * line + left] + sum[top * line + left];
            const int64_t count = (int64_t)(bottom - top) * (right - left);
            /* The pixel itself counts always. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
            out[(long)y * w + x] = (uint8_t)((2 * all + count) / (2 * count));
        }
    free(sum);
}
