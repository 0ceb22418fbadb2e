/*
 * mpi_cuda: a rank for each GPU. Rank 0 gives each rank a block of rows. Neighbours exchange the
 * rows at the borders of their blocks (the halo), while their GPUs compute the rows between. What
 * travels goes through pinned memory of the host, so MPI need not know about GPUs.
 *
 * build  nvcc -ccbin mpicxx -O3 -std=c++17 -arch=native --cudart=shared -Xcompiler -fPIC -shared
 *        -DPARAGRADE_MPI -DPARAGRADE_CUDA -I<abi> -o mpi_cuda.so mpi_cuda.cu
 * run    paragrade check -a testcases/stencil/assignment.yaml -t mpi_cuda
 * testcases/stencil/reference
 */
#include "stencil5.h"

#include <cstddef>
#include <vector>

namespace
{

constexpr int WIDTH = 128; /* threads of a block, side by side */
constexpr int STRIP = 16;  /* rows of a thread */
enum { TAG_BLOCK = 1, TAG_UP, TAG_DOWN, TAG_OUT };

/* Rows from .. to of a grid with M rows. */
__global__ void rows(int from, int to, int M, int N, int columns, const double *__restrict__ in,
                     double *__restrict__ out)
{
    const int j = blockIdx.x % columns * WIDTH + threadIdx.x;
    const int first = from + blockIdx.x / columns * STRIP, end = min(first + STRIP, to);
    if (j >= N)
        return;
    for (int i = first; i < end; i++) {
        const double *x = in + (size_t)i * N + j;
        const double up = i > 0 ? x[-(ptrdiff_t)N] : 0, down = i + 1 < M ? x[N] : 0;
        const double left = j > 0 ? x[-1] : 0, right = j + 1 < N ? x[1] : 0;
        out[(size_t)i * N + j] = up + down + left + right - 4 * x[0];
    }
}

void compute(int from, int to, int M, int N, const double *in, double *out, cudaStream_t stream)
{
    const int columns = (N + WIDTH - 1) / WIDTH, strips = (to - from + STRIP - 1) / STRIP;
    if (from < to)
        rows<<<(unsigned)columns * strips, WIDTH, 0, stream>>>(from, to, M, N, columns, in, out);
}

/* Memory that is kept for later calls. */
struct room {
    cudaError_t (*allocate)(void **, size_t);
    cudaError_t (*release)(void *);
    void *memory;
    size_t bytes;

    double *of(size_t rows, int N)
    {
        const size_t needed = rows * (size_t)N * sizeof(double);
        if (needed > bytes) {
            release(memory);
            memory = nullptr;
            bytes = allocate(&memory, needed) == cudaSuccess ? needed : 0;
        }
        return (double *)memory;
    }
};

cudaError_t on_device(void **p, size_t bytes)
{
    return cudaMalloc(p, bytes);
}

cudaError_t on_host(void **p, size_t bytes)
{
    return cudaMallocHost(p, bytes);
}

struct room host_in = {on_host, cudaFreeHost}, host_out = {on_host, cudaFreeHost},
            device_in = {on_device, cudaFree}, device_out = {on_device, cudaFree};

int first_row(int M, int ranks, int rank)
{
    return (int)((long long)M * rank / ranks);
}

size_t bytes_of(int rows, int N)
{
    return (size_t)rows * N * sizeof(double);
}

/* Rank 0 has the whole grid, and needs no halo; the last of its rows is one. */
void lead(int M, int N, const double *in, double *out, int ranks, MPI_Datatype row, MPI_Comm comm,
          cudaStream_t stream)
{
    const int own = first_row(M, ranks, 1), others = M - own;
    double *A = host_in.of(others + 1, N), *C = host_out.of(others + 1, N);
    std::vector<MPI_Request> request;
    cudaEvent_t copied;
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaMemcpyAsync(A, in + (size_t)(own - 1) * N, bytes_of(others + 1, N), cudaMemcpyDeviceToHost,
                    stream);
    cudaEventRecord(copied, stream);
    compute(0, own, M, N, in, out, stream);
    cudaEventSynchronize(copied);
    cudaEventDestroy(copied);
    auto next = [&] {
        request.push_back(MPI_REQUEST_NULL);
        return &request.back();
    };
    request.reserve(2 * ranks);
    MPI_Isend(A, 1, row, 1, TAG_DOWN, comm, next());
    for (int r = 1; r < ranks; r++) {
        const int from = first_row(M, ranks, r), to = first_row(M, ranks, r + 1);
        MPI_Isend(A + (size_t)(from - own + 1) * N, to - from, row, r, TAG_BLOCK, comm, next());
        MPI_Irecv(C + (size_t)(from - own) * N, to - from, row, r, TAG_OUT, comm, next());
    }
    MPI_Waitall((int)request.size(), request.data(), MPI_STATUSES_IGNORE);
    cudaMemcpyAsync(out + (size_t)own * N, C, bytes_of(others, N), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream); /* the next call writes to C */
}

/* A block lies between two rows of halo; there is none below the last one. */
void follow(int M, int N, int rank, int ranks, MPI_Datatype row, MPI_Comm comm, cudaStream_t stream)
{
    const int own = first_row(M, ranks, rank + 1) - first_row(M, ranks, rank);
    const bool last = rank + 1 == ranks;
    const int count = own + (last ? 1 : 2);
    double *A = host_in.of(count, N), *C = host_out.of(own, N), *dA = device_in.of(count, N),
           *dC = device_out.of(count, N);
    double *block = A + N, *end = A + (size_t)own * N;
    MPI_Request halo[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Irecv(A, 1, row, rank - 1, TAG_DOWN, comm, &halo[0]);
    if (!last)
        MPI_Irecv(end + N, 1, row, rank + 1, TAG_UP, comm, &halo[1]);
    MPI_Recv(block, own, row, 0, TAG_BLOCK, comm, MPI_STATUS_IGNORE);
    if (!last)
        MPI_Isend(end, 1, row, rank + 1, TAG_DOWN, comm, &halo[2]);
    if (rank > 1)
        MPI_Isend(block, 1, row, rank - 1, TAG_UP, comm, &halo[3]);
    cudaMemcpyAsync(dA + N, block, bytes_of(own, N), cudaMemcpyHostToDevice, stream);
    compute(2, own, count, N, dA, dC, stream); /* what needs no halo */
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    cudaMemcpyAsync(dA, A, bytes_of(1, N), cudaMemcpyHostToDevice, stream);
    if (!last)
        cudaMemcpyAsync(dA + (size_t)(own + 1) * N, end + N, bytes_of(1, N), cudaMemcpyHostToDevice,
                        stream);
    compute(1, 2, count, N, dA, dC, stream);
    compute(own > 1 ? own : 2, own + 1, count, N, dA, dC, stream);
    cudaMemcpyAsync(C, dC + N, bytes_of(own, N), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    MPI_Send(C, own, row, 0, TAG_OUT, comm);
}

} // namespace

void stencil5_f64_mpi_cuda(int M, int N, const double *in, double *out, MPI_Comm comm,
                           cudaStream_t stream)
{
    int rank, ranks;
    MPI_Datatype row;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    ranks = ranks < M ? ranks : M; /* each that takes part has a row */
    MPI_Type_contiguous(N, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    if (rank == 0 && ranks == 1)
        compute(0, M, M, N, in, out, stream);
    else if (rank == 0)
        lead(M, N, in, out, ranks, row, comm, stream);
    else if (rank < ranks)
        follow(M, N, rank, ranks, row, comm, stream);
    MPI_Type_free(&row);
}
