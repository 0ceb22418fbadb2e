/* search.c - trusted sources of 35 to 39. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

uint64_t last_short_book(int n, const int *book)
{
    for (int i = n - 1; i >= 0; i--)
        if (book[2 * i + 1] < 100)
            return (uint64_t)i;
    return (uint64_t)n;
}

bool contains(int n, const int *x, int wanted)
{
    for (int i = 0; i < n; i++)
        if (x[i] == wanted)
            return 1;
    return 0;
}

uint64_t closest_to_pi(int n, const double *x)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i] - M_PI) < fabs(x[best] - M_PI))
            best = i;
    return (uint64_t)best;
}

uint64_t first_even(int n, const int *x)
{
    int i = 0;
    while (i < n && x[i] % 2)
        i++;
    return (uint64_t)i;
}

bool in_one_of_two(int nx, int ny, const int *x, const int *y, int wanted)
{
    return contains(nx, x, wanted) != contains(ny, y, wanted);
}
