/* simd.c - rows are added with vectors, and a running sum goes along each row. */
#include "blur.h"

#include <stdlib.h>

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* One row: column[] gets the sums of up to 2 r + 1 rows, which are then added along the row. */
static void blur_row(int h, int w, int r, int y, const uint8_t *in, uint8_t *out, int *column)
{
    const int top = at_least(y - r, 0), bottom = at_most(y + r, h - 1);
    for (int x = 0; x < w; x++)
        column[x] = 0;
    for (int j = top; j <= bottom; j++)
        for (int x = 0; x < w; x++)
            column[x] += in[(long)j * w + x];
    int sum = 0;
    for (int x = 0; x < at_most(r, w); x++)
        sum += column[x];
    for (int x = 0; x < w; x++) {
        sum += x + r < w ? column[x + r] : 0;
        sum -= x - r > 0 ? column[x - r - 1] : 0;
        const int width = at_most(x + r, w - 1) - at_least(x - r, 0) + 1;
        const int count = width * (bottom - top + 1);
        out[x] = (uint8_t)((sum + count / 2) / count);
    }
}

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    int *column = calloc((size_t)w, sizeof *column);
    for (int y = 0; y < h; y++)
        blur_row(h, w, r, y, in, out + (long)y * w, column);
    free(column);
}
