/* tier: mpi */
/* MPI_IN_PLACE in reductions, gathers and scatters. */
#include "honest.h"

GEMM_MPI
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int deep = (K + size - 1) / size;
    int32_t *a = calloc((size_t)M * K, sizeof *a), *b = calloc((size_t)deep * size * N, sizeof *b);
    int32_t *c = calloc((size_t)M * N, sizeof *c);
    if (rank == 0) {
        memcpy(a, A, (size_t)M * K * sizeof *a);
        memcpy(b, B, (size_t)K * N * sizeof *b);
    }
    MPI_Bcast(a, M * K, MPI_INT32_T, 0, comm);
    int32_t *mine = b + (size_t)rank * deep * N;
    MPI_Scatter(b, deep * N, MPI_INT32_T, rank == 0 ? MPI_IN_PLACE : mine, deep * N, MPI_INT32_T, 0,
                comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, deep * N, MPI_INT32_T, comm);
    for (int i = 0; i < M; i++)
        for (int k = rank * deep; k < least(K, (rank + 1) * deep); k++)
            for (int j = 0; j < N; j++)
                c[(size_t)i * N + j] += a[(size_t)i * K + k] * b[(size_t)k * N + j];
    if (rank == 0) {
        memcpy(C, c, (size_t)M * N * sizeof *C);
        MPI_Reduce(MPI_IN_PLACE, C, M * N, MPI_INT32_T, MPI_SUM, 0, comm);
    } else {
        MPI_Reduce(c, NULL, M * N, MPI_INT32_T, MPI_SUM, 0, comm);
    }
    free(a);
    free(b);
    free(c);
}
