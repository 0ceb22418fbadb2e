/*
 * gpus: one process and all the GPUs that it sees. Each computes a part of the rows of C. The first
 * one has the operands: the others get their rows of A, and B, and give their rows of C back. All
 * of this is in streams of the GPUs, and events put the streams in order: the host waits for
 * nothing, and the given stream waits for all others.
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -o gpus.so gpus.cu
 * run    paragrade check -a testcases/gpu/several.yaml --tier gpus reference/gemm
 */
#include "gemm.h"

#include "gpu_rows.cuh"

namespace
{

constexpr int MOST = 16;

struct gpu {
    cudaStream_t stream;
    cudaEvent_t done;
    gpu_rows::room a, b, c;
};

struct gpu gpus[MOST];
cudaEvent_t begin;

/* How many there are. They reach each other's memory directly, where the machine can do that. */
int prepare()
{
    int n = 1;
    cudaGetDeviceCount(&n);
    n = n < MOST ? n : MOST;
    for (int g = 1; g < n; g++) {
        cudaSetDevice(g);
        cudaStreamCreateWithFlags(&gpus[g].stream, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&gpus[g].done, cudaEventDisableTiming);
        cudaDeviceEnablePeerAccess(0, 0);
        cudaSetDevice(0);
        cudaDeviceEnablePeerAccess(g, 0);
    }
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    cudaGetLastError(); /* copies go through the host then */
    return n;
}

/* The first row of GPU g. */
int first_row(int M, int g, int n)
{
    return (int)((int64_t)M * g / n);
}

void part(int g, int rows, int N, int K, const element *A, const element *B, element *C)
{
    const size_t a = (size_t)rows * K * sizeof *A, b = (size_t)K * N * sizeof *B,
                 c = (size_t)rows * N * sizeof *C;
    struct gpu *on = &gpus[g];
    cudaSetDevice(g);
    element *my_a = on->a.of(a), *my_b = on->b.of(b), *my_c = on->c.of(c);
    cudaStreamWaitEvent(on->stream, begin, 0);
    cudaMemcpyPeerAsync(my_a, g, A, 0, a, on->stream);
    cudaMemcpyPeerAsync(my_b, g, B, 0, b, on->stream);
    gpu_rows::multiply(rows, N, K, my_a, my_b, my_c, on->stream);
    cudaMemcpyPeerAsync(C, 0, my_c, g, c, on->stream);
    cudaEventRecord(on->done, on->stream);
}

} // namespace

void GEMM_CUDA(int M, int N, int K, const element *dA, const element *dB, element *dC,
               cudaStream_t stream)
{
    static const int n = prepare();
    cudaEventRecord(begin, stream); /* what was put into the stream before comes first */
    for (int g = 1; g < n; g++) {
        const int from = first_row(M, g, n), rows = first_row(M, g + 1, n) - from;
        if (rows > 0)
            part(g, rows, N, K, dA + (size_t)from * K, dB, dC + (size_t)from * N);
    }
    cudaSetDevice(0);
    gpu_rows::multiply(first_row(M, 1, n), N, K, dA, dB, dC, stream);
    for (int g = 1; g < n; g++)
        if (first_row(M, g, n) < first_row(M, g + 1, n))
            cudaStreamWaitEvent(stream, gpus[g].done, 0);
}
