/* Neighbouring program instances compute neighbouring columns. */
export void gemm_f32(uniform int M, uniform int N, uniform int K, const uniform float A[],
                     const uniform float B[], uniform float C[])
{
    for (uniform int i = 0; i < M; i++)
        foreach (j = 0 ... N) {
            float sum = 0;
            for (uniform int k = 0; k < K; k++)
                sum += A[i * K + k] * B[k * N + j];
            C[i * N + j] = sum;
        }
}
