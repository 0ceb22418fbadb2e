/* reduce.c - trusted sources of 25 to 29. */
#include <stdbool.h>
#include <stdint.h>

bool xor_all(int n, const bool *x)
{
    bool odd = 0;
    for (int i = 0; i < n; i++)
        odd ^= x[i];
    return odd;
}

double product(int n, const double *x)
{
    double all = 1;
    for (int i = 0; i < n; i++)
        all = i % 2 ? all / x[i] : all * x[i];
    return all;
}

double average(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

int smallest_odd(int n, const int *x)
{
    int least = 0;
    for (int i = 0; i < n; i++)
        if (x[i] % 2 && (!least || x[i] < least))
            least = x[i];
    return least;
}

double sum_of_minima(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] < y[i] ? x[i] : y[i];
    return sum;
}
