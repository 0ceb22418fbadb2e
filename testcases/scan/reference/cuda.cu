/* cuda.cu - sums within blocks, sums of blocks, and both together. */
#include "scan.h"

enum { THREADS = 1024 };

/* Prefix sums of what the threads of a block have. */
static __device__ double scan_block(double mine)
{
    __shared__ double sum[THREADS];
    const int t = threadIdx.x;
    __syncthreads();
    sum[t] = mine;
    for (int apart = 1; apart < THREADS; apart *= 2) {
        __syncthreads();
        const double before = t >= apart ? sum[t - apart] : 0;
        __syncthreads();
        sum[t] += before;
    }
    return sum[t];
}

static __global__ void within(int n, const double *x, double *y, double *total)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const double sum = scan_block(i < n ? x[i] : 0);
    if (i < n)
        y[i] = sum;
    if (threadIdx.x == THREADS - 1)
        total[blockIdx.x] = sum;
}

/* One block: total[i] becomes the sum of all blocks before block i. */
static __global__ void before(int blocks, double *total)
{
    __shared__ double carry;
    if (threadIdx.x == 0)
        carry = 0;
    for (int at = 0; at < blocks; at += THREADS) {
        const int i = at + threadIdx.x;
        const double mine = i < blocks ? total[i] : 0, sum = scan_block(mine);
        if (i < blocks)
            total[i] = carry + sum - mine;
        __syncthreads();
        if (threadIdx.x == THREADS - 1)
            carry += sum;
        __syncthreads();
    }
}

static __global__ void shift(int n, const double *total, double *y)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        y[i] += total[blockIdx.x];
}

void scan_f64_cuda(int n, const double *x, double *y, cudaStream_t stream)
{
    const int blocks = (n + THREADS - 1) / THREADS;
    void *total = NULL;
    if (cudaMallocAsync(&total, blocks * sizeof *y, stream) != cudaSuccess)
        return;
    within<<<blocks, THREADS, 0, stream>>>(n, x, y, (double *)total);
    before<<<1, THREADS, 0, stream>>>(blocks, (double *)total);
    shift<<<blocks, THREADS, 0, stream>>>(n, (const double *)total, y);
    cudaFreeAsync(total, stream);
}
