/* transform.c - trusted sources of 55 to 59. */
#include <stdbool.h>
#include <stdint.h>

void relu(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] < 0 ? 0 : x[i];
}

void negate_odd(int n, int *x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] % 2 ? -x[i] : x[i] / 2;
}

void one_minus_inverse(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1 - 1 / x[i];
}

void square(int n, int *x)
{
    for (int i = 0; i < n; i++)
        x[i] *= x[i];
}

void powers_of_two(int n, const int *x, bool *mask)
{
    for (int i = 0; i < n; i++)
        mask[i] = x[i] > 0 && (x[i] & (x[i] - 1)) == 0;
}
