/* tier: mpi */
/* Cannon's algorithm on a periodic grid of ranks, as square as can be. */
#include "honest.h"

static void shift(int32_t *block, int n, int direction, int by, MPI_Comm grid)
{
    int from, to;
    MPI_Cart_shift(grid, direction, by, &from, &to);
    MPI_Sendrecv_replace(block, n, MPI_INT32_T, to, 1, from, 1, grid, MPI_STATUS_IGNORE);
}

GEMM_MPI
{
    int size, side = 1;
    MPI_Comm_size(comm, &size);
    while ((side + 1) * (side + 1) <= size)
        side++;
    MPI_Comm grid;
    MPI_Cart_create(comm, 2, (int[]){side, side}, (int[]){1, 1}, 1, &grid);
    if (grid == MPI_COMM_NULL)
        return; /* one rank too many */
    int rank, at[2], m = (M + side - 1) / side, n = (N + side - 1) / side,
                     k = (K + side - 1) / side;
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);
    int32_t *a = calloc((size_t)m * k, sizeof *a), *b = calloc((size_t)k * n, sizeof *b);
    int32_t *c = calloc((size_t)m * n, sizeof *c), *sum = calloc((size_t)m * n, sizeof *sum);
    int32_t *whole = NULL;
    if (rank == 0) {
        whole = calloc((size_t)side * side * (m * k + k * n), sizeof *whole);
        for (int i = 0; i < M; i++)
            for (int p = 0; p < K; p++)
                whole[(size_t)(i / m * side + p / k) * m * k + (size_t)(i % m) * k + p % k] =
                    A[(size_t)i * K + p];
        for (int p = 0; p < K; p++)
            for (int j = 0; j < N; j++)
                whole[(size_t)side * side * m * k + (size_t)(p / k * side + j / n) * k * n +
                      (size_t)(p % k) * n + j % n] = B[(size_t)p * N + j];
    }
    MPI_Scatter(whole, m * k, MPI_INT32_T, a, m * k, MPI_INT32_T, 0, grid);
    MPI_Scatter(whole ? whole + (size_t)side * side * m * k : NULL, k * n, MPI_INT32_T, b, k * n,
                MPI_INT32_T, 0, grid);
    shift(a, m * k, 1, -at[0], grid);
    shift(b, k * n, 0, -at[1], grid);
    for (int step = 0; step < side; step++) {
        rows(0, m, n, k, a, b, c);
        for (int i = 0; i < m * n; i++)
            sum[i] += c[i];
        shift(a, m * k, 1, -1, grid);
        shift(b, k * n, 0, -1, grid);
    }
    int32_t *out = rank == 0 ? malloc((size_t)side * side * m * n * sizeof *out) : NULL;
    MPI_Gather(sum, m * n, MPI_INT32_T, out, m * n, MPI_INT32_T, 0, grid);
    for (int i = 0; out && i < M; i++)
        for (int j = 0; j < N; j++)
            C[(size_t)i * N + j] =
                out[(size_t)(i / m * side + j / n) * m * n + (size_t)(i % m) * n + j % n];
    MPI_Comm_free(&grid);
    free(a);
    free(b);
    free(c);
    free(sum);
    free(whole);
    free(out);
}
