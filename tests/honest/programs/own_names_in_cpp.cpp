/* tier: naive */
/* Names of its own that the C library has, with C++ linkage, and namespaces. */
#include "honest.h"

namespace omp
{
int threads = 1;
}
int omp_threads = 2;
int index(int i, int j, int n)
{
    return i * n + j;
}
void send(int32_t *to, int32_t what)
{
    *to = what;
}
static int omp_get_max_threads()
{
    return omp::threads + omp_threads;
}

GEMM
{
    int step = omp_get_max_threads();
    for (int s = 0; s < step; s++)
        for (int i = s; i < M; i += step)
            for (int j = 0; j < N; j++) {
                int32_t sum = 0;
                for (int k = 0; k < K; k++)
                    sum += A[index(i, k, K)] * B[index(k, j, N)];
                send(&C[index(i, j, N)], sum);
            }
}
