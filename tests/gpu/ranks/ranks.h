/* Rank 0 computes the product with the plain kernel; what others do is a test of its own. */
#include <stdio.h>
#include <string.h>

#include "kernel.h"

#define RANKS(rank, ranks, comm, stream)                                                           \
    static void work(int rank, int ranks, int M, int N, int K, const int32_t *A, const int32_t *B, \
                     int32_t *C, MPI_Comm comm, cudaStream_t stream);                              \
    void gemm_i32_mpi_cuda(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,    \
                           MPI_Comm comm, cudaStream_t stream)                                     \
    {                                                                                              \
        int rank, ranks;                                                                           \
        MPI_Comm_rank(comm, &rank);                                                                \
        MPI_Comm_size(comm, &ranks);                                                               \
        work(rank, ranks, M, N, K, A, B, C, comm, stream);                                         \
    }                                                                                              \
    static void work(int rank, int ranks, int M, int N, int K, const int32_t *A, const int32_t *B, \
                     int32_t *C, MPI_Comm comm, cudaStream_t stream)

static inline void product(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                           cudaStream_t stream)
{
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
