/* tier: mpi */
/* Rows and columns of a Cartesian grid as communicators; panels of A and B broadcast in them. */
#include "honest.h"

GEMM_MPI
{
    int size, rank, at[2], grid_size[2] = {0, 0}, remain_row[2] = {0, 1}, remain_col[2] = {1, 0};
    MPI_Comm grid, row, col;
    MPI_Comm_size(comm, &size);
    MPI_Dims_create(size, 2, grid_size);
    MPI_Cart_create(comm, 2, grid_size, (int[]){0, 0}, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_sub(grid, remain_row, &row);
    MPI_Cart_sub(grid, remain_col, &col);
    int high = (M + grid_size[0] - 1) / grid_size[0], wide = (N + grid_size[1] - 1) / grid_size[1];
    int i0 = at[0] * high, j0 = at[1] * wide;
    int m = M - i0 < high ? M - i0 : high, n = N - j0 < wide ? N - j0 : wide;
    int32_t *a = malloc((size_t)M * K * sizeof *a), *b = malloc((size_t)K * N * sizeof *b);
    int32_t *c = calloc((size_t)high * wide, sizeof *c), *all = NULL;
    if (rank == 0) {
        memcpy(a, A, (size_t)M * K * sizeof *a);
        memcpy(b, B, (size_t)K * N * sizeof *b);
    }
    if (at[1] == 0)
        MPI_Bcast(a, M * K, MPI_INT32_T, 0, col);
    if (at[0] == 0)
        MPI_Bcast(b, K * N, MPI_INT32_T, 0, row);
    for (int k0 = 0; k0 < K; k0 += 16) {
        int deep = least(16, K - k0);
        MPI_Datatype panel;
        MPI_Type_vector(M, deep, K, MPI_INT32_T, &panel);
        MPI_Type_commit(&panel);
        MPI_Bcast(a + k0, 1, panel, 0, row);
        MPI_Bcast(b + (size_t)k0 * N, deep * N, MPI_INT32_T, 0, col);
        MPI_Type_free(&panel);
        for (int i = 0; i < m; i++)
            for (int k = k0; k < k0 + deep; k++)
                for (int j = 0; j < n; j++)
                    c[(size_t)i * wide + j] +=
                        a[(size_t)(i0 + i) * K + k] * b[(size_t)k * N + j0 + j];
    }
    if (rank == 0)
        all = malloc((size_t)size * high * wide * sizeof *all);
    MPI_Gather(c, high * wide, MPI_INT32_T, all, high * wide, MPI_INT32_T, 0, grid);
    for (int i = 0; all && i < M; i++)
        for (int j = 0; j < N; j++) {
            int owner;
            MPI_Cart_rank(grid, (int[]){i / high, j / wide}, &owner);
            C[(size_t)i * N + j] =
                all[(size_t)owner * high * wide + (size_t)(i % high) * wide + j % wide];
        }
    MPI_Comm_free(&row);
    MPI_Comm_free(&col);
    MPI_Comm_free(&grid);
    free(a);
    free(b);
    free(c);
    free(all);
}
