#include "blur.h"

void blur(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    (void)h, (void)w, (void)r, (void)in, (void)out; /* write your code here */
}
