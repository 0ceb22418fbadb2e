#include "matrix_io.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    int m, k, rows, n;
    int *a = load(argv[1], &m, &k), *b = load(argv[argc - 2], &rows, &n), *c = NULL;
    for (int i = 0; c && i < m * n; i++)
        c[i] = a[i] * b[i];
    save(argv[argc - 1], m, n, c);
}
