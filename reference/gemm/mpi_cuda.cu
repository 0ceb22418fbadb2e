/*
 * mpi_cuda: a rank for each GPU. Each computes a part of the rows of C. Rank 0 has the operands on
 * its GPU. MPI need not know about GPUs: what goes to other ranks, and comes back, goes through
 * pinned memory of the host, which the copy engine reads and writes at full speed. Rank 0 computes
 * its own rows meanwhile, where the operands are.
 *
 * build  nvcc -ccbin mpicxx -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared
 *            -DPARAGRADE_MPI -DPARAGRADE_CUDA -I<abi> -o mpi_cuda.so mpi_cuda.cu
 * run    paragrade check -a testcases/gpu/several.yaml --tier mpi_cuda reference/gemm
 */
#include "gemm.h"

#include "gpu_rows.cuh"

namespace
{

/* Pinned memory of the host, that is kept for later calls. */
struct pinned {
    void *memory;
    size_t bytes;

    element *of(size_t needed)
    {
        if (needed > bytes) {
            cudaFreeHost(memory);
            memory = nullptr;
            bytes = cudaMallocHost(&memory, needed) == cudaSuccess ? needed : 0;
        }
        return (element *)memory;
    }
};

struct pinned host_a, host_b, host_c;
gpu_rows::room room_a, room_b, room_c;

/* The rows of A or C that each rank gets, as elements of a matrix with rows of this length. Rank 0
 * has its own already. */
struct parts {
    int count[4096], at[4096];

    parts(int M, int row, int ranks)
    {
        const int first = (int)((int64_t)M / ranks);
        for (int r = 0; r < ranks; r++) {
            const int from = (int)((int64_t)M * r / ranks),
                      to = (int)((int64_t)M * (r + 1) / ranks);
            at[r] = (from - (r ? first : 0)) * row;
            count[r] = r ? (to - from) * row : 0;
        }
    }
};

void lead(int M, int N, int K, const element *dA, const element *dB, element *dC, int ranks,
          MPI_Comm comm, cudaStream_t stream)
{
    const int own = (int)((int64_t)M / ranks);
    const size_t a = (size_t)(M - own) * K, b = (size_t)K * N, c = (size_t)(M - own) * N;
    if (ranks == 1) {
        gpu_rows::multiply(M, N, K, dA, dB, dC, stream);
        return;
    }
    static cudaEvent_t copied;
    if (!copied)
        cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    element *A = host_a.of(a * sizeof *A), *B = host_b.of(b * sizeof *B),
            *C = host_c.of(c * sizeof *C);
    cudaMemcpyAsync(B, dB, b * sizeof *B, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(A, dA + (size_t)own * K, a * sizeof *A, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(copied, stream);
    gpu_rows::multiply(own, N, K, dA, dB, dC, stream);
    cudaEventSynchronize(copied);
    const parts of_a(M, K, ranks), of_c(M, N, ranks);
    MPI_Bcast(B, (int)b, ELEMENT_MPI, 0, comm);
    MPI_Scatterv(A, of_a.count, of_a.at, ELEMENT_MPI, MPI_IN_PLACE, 0, ELEMENT_MPI, 0, comm);
    MPI_Gatherv(MPI_IN_PLACE, 0, ELEMENT_MPI, C, of_c.count, of_c.at, ELEMENT_MPI, 0, comm);
    cudaMemcpyAsync(dC + (size_t)own * N, C, c * sizeof *C, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream); /* the next call writes to C */
}

void follow(int M, int N, int K, int rank, int ranks, MPI_Comm comm, cudaStream_t stream)
{
    const parts of_a(M, K, ranks), of_c(M, N, ranks);
    const size_t a = (size_t)of_a.count[rank], b = (size_t)K * N, c = (size_t)of_c.count[rank];
    element *A = host_a.of(a * sizeof *A), *B = host_b.of(b * sizeof *B),
            *C = host_c.of(c * sizeof *C), *dA = room_a.of(a * sizeof *A),
            *dB = room_b.of(b * sizeof *B), *dC = room_c.of(c * sizeof *C);
    MPI_Bcast(B, (int)b, ELEMENT_MPI, 0, comm);
    cudaMemcpyAsync(dB, B, b * sizeof *B, cudaMemcpyHostToDevice, stream);
    MPI_Scatterv(NULL, NULL, NULL, ELEMENT_MPI, A, (int)a, ELEMENT_MPI, 0, comm);
    cudaMemcpyAsync(dA, A, a * sizeof *A, cudaMemcpyHostToDevice, stream);
    gpu_rows::multiply((int)(c / (size_t)N), N, K, dA, dB, dC, stream);
    cudaMemcpyAsync(C, dC, c * sizeof *C, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    MPI_Gatherv(C, (int)c, ELEMENT_MPI, NULL, NULL, NULL, ELEMENT_MPI, 0, comm);
}

} // namespace

void GEMM_MPI_CUDA(int M, int N, int K, const element *dA, const element *dB, element *dC,
                   MPI_Comm comm, cudaStream_t stream)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == 0)
        lead(M, N, K, dA, dB, dC, ranks, comm, stream);
    else
        follow(M, N, K, rank, ranks, comm, stream);
}
