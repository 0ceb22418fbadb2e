#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    (void)n, (void)x, (void)bins; /* write your code here */
}
