/* cuda.cu - threads share the edges, and join trees by compare and exchange, as in openmp.c. */
#include "components.h"

enum { THREADS = 256 };

static __global__ void begin(int n, int *label)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        label[i] = i;
}

/* Other threads change the trees meanwhile, but what is above a vertex stays in its component. */
static __device__ int root(volatile int *parent, int i)
{
    for (int p; (p = parent[i]) != i;) {
        const int above = parent[p];
        if (above != p)
            atomicCAS((int *)&parent[i], p, above);
        i = above;
    }
    return i;
}

static __global__ void join(int m, const int *from, const int *to, int *label)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int a = root(label, from[e]), b = root(label, to[e]);
    while (a != b) {
        const int large = max(a, b), small = min(a, b);
        if (atomicCAS(&label[large], large, small) == large)
            return;
        a = root(label, large);
        b = root(label, small);
    }
}

/* Labels that are written here are roots already, whoever reads them. */
static __global__ void end(int n, int *label)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        label[i] = root(label, i);
}

static unsigned blocks(int n)
{
    return (n + THREADS - 1) / THREADS;
}

void components_cuda(int n, int m, const int *from, const int *to, int *label, cudaStream_t stream)
{
    begin<<<blocks(n), THREADS, 0, stream>>>(n, label);
    join<<<blocks(m), THREADS, 0, stream>>>(m, from, to, label);
    end<<<blocks(n), THREADS, 0, stream>>>(n, label);
}
