/* cuda.cu - a block for each row makes its mean 0 and its length 1; then a thread for each pair,
 * which shares tiles of rows with its block. Blocks above the diagonal end at once. */
#include "pairs.h"

enum { THREADS = 256, TILE = 16 };

/* The sum of what all threads of the block have, in all of them. */
static __device__ double sum_of(double mine)
{
    __shared__ double part[THREADS];
    __syncthreads();
    part[threadIdx.x] = mine;
    for (int n = THREADS / 2; n > 0; n /= 2) {
        __syncthreads();
        if (threadIdx.x < n)
            part[threadIdx.x] += part[threadIdx.x + n];
    }
    __syncthreads();
    return part[0];
}

static __global__ void norm(int nx, const double *data, double *row)
{
    const double *from = data + (size_t)blockIdx.x * nx;
    double *to = row + (size_t)blockIdx.x * nx, sum = 0, squares = 0;
    for (int x = threadIdx.x; x < nx; x += THREADS)
        sum += from[x];
    const double mean = sum_of(sum) / nx;
    for (int x = threadIdx.x; x < nx; x += THREADS)
        squares += (from[x] - mean) * (from[x] - mean);
    squares = sum_of(squares);
    for (int x = threadIdx.x; x < nx; x += THREADS)
        to[x] = squares > 0 ? (from[x] - mean) / sqrt(squares) : 0;
}

static __global__ void products(int ny, int nx, const double *row, double *result)
{
    __shared__ double a[TILE][TILE], b[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * TILE + y, j = blockIdx.x * TILE + x, k = blockIdx.x * TILE + y;
    double sum = 0;
    if (blockIdx.x > blockIdx.y)
        return;
    for (int at = 0; at < nx; at += TILE) {
        a[y][x] = i < ny && at + x < nx ? row[(size_t)i * nx + at + x] : 0;
        b[y][x] = k < ny && at + x < nx ? row[(size_t)k * nx + at + x] : 0;
        __syncthreads();
        for (int p = 0; p < TILE; p++)
            sum += a[y][p] * b[x][p];
        __syncthreads();
    }
    if (i < ny && j <= i)
        result[(size_t)i * ny + j] = sum;
}

void pairs_cuda(int ny, int nx, const double *data, double *result, cudaStream_t stream)
{
    const dim3 tile(TILE, TILE), grid((ny + TILE - 1) / TILE, (ny + TILE - 1) / TILE);
    void *row = NULL;
    if (cudaMallocAsync(&row, (size_t)ny * nx * sizeof *data, stream) != cudaSuccess)
        return;
    norm<<<ny, THREADS, 0, stream>>>(nx, data, (double *)row);
    products<<<grid, tile, 0, stream>>>(ny, nx, (const double *)row, result);
    cudaFreeAsync(row, stream);
}
