void square_dgemm(int n, double *A, double *B, double *C)
{
    double *packed = 0;
    for (int i = 0; i < n; i++)
        packed[i] = A[i];
    C[0] = B[0];
}
