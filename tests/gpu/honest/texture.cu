/* B read through a texture object, where it is not too large for one. */
#include "kernel.h"

static __global__ void textured(int M, int N, int K, const int32_t *A, cudaTextureObject_t B,
                                int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)tex1Dfetch<int>(B, k * N + col);
    C[(size_t)row * N + col] = (int32_t)sum;
}

KERNEL(stream)
{
    cudaTextureObject_t t = 0;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    dim3 block(32, 8);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = (void *)B;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = (size_t)K * N * sizeof *B;
    d.readMode = cudaReadModeElementType;
    if (cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaSuccess) {
        textured<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, t, C);
        cudaStreamSynchronize(stream);
        cudaDestroyTextureObject(t);
    } else {
        plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    }
}
