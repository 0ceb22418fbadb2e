/* cuda.cu - a kernel for each pass, a thread for each pair, between two arrays (Stockham). */
#include "fft.h"

enum { THREADS = 256 };

static __global__ void pass(long n, long half, const double2 *x, double2 *y)
{
    const long i = (long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n / 2)
        return;
    const long p = i / half, q = i % half;
    const double2 a = x[i], b = x[i + n / 2];
    double s, c;
    sincospi(-2.0 * (double)(p * half) / (double)n, &s, &c);
    y[2 * p * half + q] = make_double2(a.x + b.x, a.y + b.y);
    y[2 * p * half + q + half] =
        make_double2(c * (a.x - b.x) - s * (a.y - b.y), c * (a.y - b.y) + s * (a.x - b.x));
}

void fft_cuda(int k, const double *x, double *y, cudaStream_t stream)
{
    const long n = 1L << k;
    const unsigned blocks = (unsigned)((n / 2 + THREADS - 1) / THREADS);
    void *other = NULL;
    if (cudaMallocAsync(&other, 2 * n * sizeof *y, stream) != cudaSuccess)
        return;
    const double2 *from = (const double2 *)x;
    for (int i = 0; i < k; i++) {
        double2 *to = (k - i) % 2 ? (double2 *)y : (double2 *)other;
        pass<<<blocks, THREADS, 0, stream>>>(n, 1L << i, from, to);
        from = to;
    }
    cudaFreeAsync(other, stream);
}
