/* One row at a time to whoever is next; B is sent anew with every call. */
#include "gemm.h"

#include <stdlib.h>

static void row_times_matrix(int N, int K, const int32_t *a, const int32_t *B, int32_t *c)
{
    for (int j = 0; j < N; j++) {
        int32_t sum = 0;
        for (int k = 0; k < K; k++)
            sum += a[k] * B[(size_t)k * N + j];
        c[j] = sum;
    }
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int32_t *a = malloc((size_t)K * 4), *c = malloc((size_t)N * 4);
    int32_t *b = rank ? malloc((size_t)K * N * 4) : (int32_t *)B;
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    for (int i = 0; i < M; i++) {
        int owner = i % size;
        if (owner == 0) {
            if (rank == 0)
                row_times_matrix(N, K, A + (size_t)i * K, b, C + (size_t)i * N);
        } else if (rank == 0) {
            MPI_Send(A + (size_t)i * K, K, MPI_INT32_T, owner, i, comm);
            MPI_Recv(C + (size_t)i * N, N, MPI_INT32_T, owner, i, comm, MPI_STATUS_IGNORE);
        } else if (rank == owner) {
            MPI_Recv(a, K, MPI_INT32_T, 0, i, comm, MPI_STATUS_IGNORE);
            row_times_matrix(N, K, a, b, c);
            MPI_Send(c, N, MPI_INT32_T, 0, i, comm);
        }
    }
    if (rank)
        free(b);
    free(a);
    free(c);
}
