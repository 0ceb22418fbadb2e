/* The function has another name: see adapter_names.h. */
void multiply_parallel(const double *A, const double *B, double *C, int n, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}
