/* cuda.cu - a thread for each pixel. */
#include "blur.h"

static __global__ void pixels(int h, int w, int r, const uint8_t *in, uint8_t *out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    const int top = max(y - r, 0), bottom = min(y + r, h - 1);
    const int left = max(x - r, 0), right = min(x + r, w - 1);
    const int count = (bottom - top + 1) * (right - left + 1);
    int sum = 0;
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++)
            sum += in[(size_t)j * w + i];
    out[(size_t)y * w + x] = (uint8_t)((sum + count / 2) / count);
}

void blur_cuda(int h, int w, int r, const uint8_t *in, uint8_t *out, cudaStream_t stream)
{
    const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
    pixels<<<grid, block, 0, stream>>>(h, w, r, in, out);
}
