#include "lib/include/dot.h"

void matMul(int n, int **a, int **b, int **c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = dot(n, a[i], b, j);
}
