#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int *read_matrix(const char *name, int *rows, int *cols)
{
    FILE *f = fopen(name, "r");
    fscanf(f, "%d %d", rows, cols);
    int *m = malloc(sizeof(int) * *rows * *cols);
    for (int i = 0; i < *rows * *cols; i++)
        fscanf(f, "%d", &m[i]);
    fclose(f);
    return m;
}

int main(int argc, char **argv)
{
    int rank, size, shape[3], *a = NULL, *b, *c = NULL, k;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        a = read_matrix(argv[1], &shape[0], &shape[1]);
        b = read_matrix(argv[2], &k, &shape[2]);
    }
    MPI_Bcast(shape, 3, MPI_INT, 0, MPI_COMM_WORLD);
    int m = shape[0], n = shape[2];
    k = shape[1];
    if (rank != 0)
        b = malloc(sizeof(int) * k * n);
    MPI_Bcast(b, k * n, MPI_INT, 0, MPI_COMM_WORLD);

    /* Every rank gets the same number of rows; some of the last ones do not exist. */
    int rows = (m + size - 1) / size;
    int *my_a = malloc(sizeof(int) * rows * k), *my_c = calloc(rows * n, sizeof(int));
    if (rank == 0) {
        a = realloc(a, sizeof(int) * rows * size * k);
        c = malloc(sizeof(int) * rows * size * n);
    }
    MPI_Scatter(a, rows * k, MPI_INT, my_a, rows * k, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < rows; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                my_c[i * n + j] += my_a[i * k + l] * b[l * n + j];
    MPI_Gather(my_c, rows * n, MPI_INT, c, rows * n, MPI_INT, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        FILE *out = fopen(argv[3], "w");
        fprintf(out, "%d %d\n", m, n);
        for (int i = 0; i < m * n; i++)
            fprintf(out, "%d%c", c[i], (i + 1) % n ? ' ' : '\n');
        fclose(out);
    }
    free(a);
    free(b);
    free(c);
    free(my_a);
    free(my_c);
    MPI_Finalize();
    return 0;
}
