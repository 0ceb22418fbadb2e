/* A usual mistake: sums at the border are divided by the number of pixels of a whole square. */
#include "blur.h"

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    const int count = (2 * r + 1) * (2 * r + 1);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int j = y - r; j <= y + r; j++)
                for (int i = x - r; i <= x + r; i++)
                    if (j >= 0 && j < h && i >= 0 && i < w)
                        sum += in[(long)j * w + i];
            out[(long)y * w + x] = (uint8_t)((sum + count / 2) / count);
        }
}
