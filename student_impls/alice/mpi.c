/* B goes to everybody, rows of A are scattered (unevenly where they must be), C is gathered. */
#include "gemm.h"

#include <stdlib.h>
#include <string.h>

/* On a cache line: vectors that lie across two of them cost a tenth, and where malloc() puts a
 * matrix is another place in each process. */
static int32_t *alloc_matrix(size_t elements)
{
    return aligned_alloc(64, (elements * sizeof(int32_t) + 64) / 64 * 64);
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *a_count = malloc(4 * size * sizeof(int)), *a_start = a_count + size;
    int *c_count = a_start + size, *c_start = c_count + size;
    for (int r = 0, row = 0; r < size; r++) {
        int rows = M / size + (r < M % size);
        a_count[r] = rows * K;
        a_start[r] = row * K;
        c_count[r] = rows * N;
        c_start[r] = row * N;
        row += rows;
    }
    int rows = M / size + (rank < M % size);
    int32_t *a = alloc_matrix((size_t)rows * K), *c = alloc_matrix((size_t)rows * N);
    int32_t *b = rank ? alloc_matrix((size_t)K * N) : NULL;
    memset(c, 0, (size_t)rows * N * sizeof *c);
    MPI_Bcast(rank ? b : (int32_t *)B, K * N, MPI_INT32_T, 0, comm);
    MPI_Scatterv(A, a_count, a_start, MPI_INT32_T, a, a_count[rank], MPI_INT32_T, 0, comm);
    const int32_t *bb = rank ? b : B;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            int32_t x = a[(size_t)i * K + k];
            for (int j = 0; j < N; j++)
                c[(size_t)i * N + j] += x * bb[(size_t)k * N + j];
        }
    MPI_Gatherv(c, c_count[rank], MPI_INT32_T, C, c_count, c_start, MPI_INT32_T, 0, comm);
    free(a);
    free(b);
    free(c);
    free(a_count);
}
