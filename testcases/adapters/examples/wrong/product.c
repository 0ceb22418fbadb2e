#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int calls; /* one, in each run of the program */

static int *read_matrix(const char *name, int *rows, int *cols)
{
    FILE *f = fopen(name, "r");
    if (!f || fscanf(f, "%d %d", rows, cols) != 2) {
        fprintf(stderr, "%s: no matrix\n", name);
        exit(EXIT_FAILURE);
    }
    int *m = malloc(sizeof(int) * *rows * *cols);
    for (int i = 0; i < *rows * *cols; i++)
        if (fscanf(f, "%d", &m[i]) != 1)
            exit(EXIT_FAILURE);
    fclose(f);
    return m;
}

int main(int argc, char *argv[])
{
    int m, k, k2, n;
    if (argc != 4 || calls++ > 0) {
        printf("usage: product A B C\n");
        exit(EXIT_FAILURE);
    }
    int *a = read_matrix(argv[1], &m, &k), *b = read_matrix(argv[2], &k2, &n);
    int *c = calloc(m * n, sizeof(int));
    clock_t start = clock();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
    printf("Time: %.3f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    FILE *out = fopen(argv[3], "w");
    fprintf(out, "%d %d\n", m, n);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            fprintf(out, "%d ", c[j * m + i]);
        fprintf(out, "\n");
    }
    fclose(out);
    exit(EXIT_SUCCESS);
}
