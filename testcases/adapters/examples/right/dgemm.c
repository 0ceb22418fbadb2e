const char *dgemm_desc = "Blocked dgemm.";

#define BLOCK 32
#define min(a, b) ((a) < (b) ? (a) : (b))

/* C += A B, one block of each. All in column-major order with n rows. */
static void do_block(int n, int M, int N, int K, const double *A, const double *B, double *C)
{
    for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++)
            for (int i = 0; i < M; i++)
                C[i + j * n] += A[i + k * n] * B[k + j * n];
}

void square_dgemm(int n, double *A, double *B, double *C)
{
    for (int j = 0; j < n; j += BLOCK)
        for (int k = 0; k < n; k += BLOCK)
            for (int i = 0; i < n; i += BLOCK)
                do_block(n, min(BLOCK, n - i), min(BLOCK, n - j), min(BLOCK, n - k), A + i + k * n,
                         B + k + j * n, C + i + j * n);
}
