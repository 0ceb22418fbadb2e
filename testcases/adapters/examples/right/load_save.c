#include "matrix_io.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int m, k, rows, n;
    if (argc != 4) {
        fprintf(stderr, "usage: product A B C\n");
        return 1;
    }
    int *a = load(argv[1], &m, &k), *b = load(argv[2], &rows, &n);
    int *c = calloc((size_t)m * n, sizeof *c);
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                c[(size_t)i * n + j] += a[(size_t)i * k + l] * b[(size_t)l * n + j];
    save(argv[3], m, n, c);
    free(a);
    free(b);
    free(c);
    return 0;
}
