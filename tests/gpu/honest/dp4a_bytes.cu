/* Products of bytes by dp4a, put together to 32 bits. */
#include "kernel.h"

static __device__ unsigned dot4(unsigned a, unsigned b, unsigned c)
{
#if __CUDA_ARCH__ >= 610
    return __dp4a(a, b, c);
#else
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
#endif
}

static __global__ void bytes(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    unsigned part[4] = {0, 0, 0, 0};
    for (int k = 0; k < K; k++) {
        unsigned a = (unsigned)A[(size_t)row * K + k], b = (unsigned)B[(size_t)k * N + col];
        unsigned turned = __byte_perm(b, 0, 0x0123);
        for (int s = 0; s < 4; s++) /* sum of a's byte i times b's byte s - i */
            part[s] = dot4(a, turned >> (8 * (3 - s)), part[s]);
    }
    C[(size_t)row * N + col] =
        (int32_t)(part[0] + (part[1] << 8) + (part[2] << 16) + (part[3] << 24));
}

KERNEL(stream)
{
    dim3 block(32, 8);
    bytes<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
