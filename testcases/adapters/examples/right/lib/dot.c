#include "include/dot.h"

int dot(int n, const int *a, int **b, int j)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k][j];
    return sum;
}
