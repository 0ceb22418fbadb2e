#define BLOCK 16

__global__ void gemm_kernel(float alpha, const float *A, const float *B, float beta, float *C,
                            int M, int N, int K)
{
    __shared__ float a[BLOCK][BLOCK], b[BLOCK][BLOCK];
    int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < K; k += BLOCK) {
        int ka = k + threadIdx.x, kb = k + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[(size_t)row * K + ka] : 0;
        b[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[(size_t)kb * N + col] : 0;
        __syncthreads();
        for (int i = 0; i < BLOCK; i++)
            sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[(size_t)row * N + col] = alpha * sum;
}

void gemm(float alpha, const float *A, const float *B, float beta, float *C, int M, int N, int K)
{
    dim3 block(BLOCK, BLOCK), grid((N + BLOCK - 1) / BLOCK, (M + BLOCK - 1) / BLOCK);
    gemm_kernel<<<grid, block>>>(alpha, A, B, beta, C, M, N, K);
}
