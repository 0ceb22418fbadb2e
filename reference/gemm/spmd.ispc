/*
 * spmd: the product of floats as one program for many data (ISPC). Neighbouring program instances
 * compute neighbouring columns of C, so that they load B and store C as vectors.
 *
 * build  ispc -O3 --target=avx2-i32x8 --pic -o spmd.o spmd.ispc && gcc -shared -o spmd.so spmd.o
 * run    paragrade check -a testcases/ispc/gemm-f32-ispc.yaml --tier spmd reference/gemm
 */
export void gemm_f32(uniform int M, uniform int N, uniform int K, const uniform float A[],
                     const uniform float B[], uniform float C[])
{
    for (uniform int i = 0; i < M; i++) {
        foreach (j = 0 ... N) {
            float sum = 0;
            for (uniform int k = 0; k < K; k++)
                sum += A[(uniform int64)i * K + k] * B[(uniform int64)k * N + j];
            C[(uniform int64)i * N + j] = sum;
        }
    }
}
