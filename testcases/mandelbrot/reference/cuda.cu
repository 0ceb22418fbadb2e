/* cuda.cu - a thread for each point. The compiler must not fuse multiplications and additions, so
 * they are written as functions. */
#include "mandelbrot.h"

static __device__ int32_t count_at(double cx, double cy, int most)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    int32_t n = 0;
    while (n < most && __dadd_rn(xx, yy) <= 4) {
        y = __dadd_rn(__dmul_rn(2 * x, y), cy);
        x = __dadd_rn(__dsub_rn(xx, yy), cx);
        xx = __dmul_rn(x, x);
        yy = __dmul_rn(y, y);
        n++;
    }
    return n;
}

static __global__ void points(int h, int w, int most, double left, double top, double step,
                              int32_t *count)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < h && j < w)
        count[(size_t)i * w + j] =
            count_at(__dadd_rn(left, __dmul_rn(j, step)), __dsub_rn(top, __dmul_rn(i, step)), most);
}

void mandelbrot_cuda(int h, int w, int most, double left, double top, double step, int32_t *count,
                     cudaStream_t stream)
{
    const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    points<<<grid, block, 0, stream>>>(h, w, most, left, top, step, count);
}
