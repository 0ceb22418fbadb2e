/* histogram.c - trusted sources of 20 to 24. */
#include <math.h>
#include <stdint.h>
#include <string.h>

void pixels(int n, const int *image, uint64_t *bins)
{
    memset(bins, 0, 256 * sizeof *bins);
    for (int i = 0; i < n; i++)
        bins[image[i]]++;
}

void tens(int n, const double *x, uint64_t *bins)
{
    memset(bins, 0, 10 * sizeof *bins);
    for (int i = 0; i < n; i++) {
        int bin = 0;
        while (bin < 9 && x[i] >= 10 * (bin + 1))
            bin++;
        bins[bin]++;
    }
}

struct point {
    double x, y;
};

void quadrants(int n, const struct point *p, uint64_t *bins)
{
    memset(bins, 0, 4 * sizeof *bins);
    for (int i = 0; i < n; i++)
        bins[p[i].y < 0 ? 2 + (p[i].x >= 0) : p[i].x < 0]++;
}

void first_letters(int n, int chars, const int *start, const int8_t *text, uint64_t *bins)
{
    (void)chars;
    memset(bins, 0, 26 * sizeof *bins);
    for (int i = 0; i < n; i++)
        if (start[i] < start[i + 1])
            bins[text[start[i]] - 'a']++;
}

void quartiles(int n, const double *x, uint64_t *bins)
{
    memset(bins, 0, 4 * sizeof *bins);
    for (int i = 0; i < n; i++)
        bins[(int)(4 * (x[i] - floor(x[i])))]++;
}
