/* Each thread computes a range of rows of C. */
#include <thread>
#include <vector>

#include <stdlib.h>

#include "gemm.h"

static void rows(int first, int end, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = first; i < end; i++) {
        float *c = C + (size_t)i * N;
        for (int j = 0; j < N; j++)
            c[j] = 0;
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    }
}

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    const char *count = getenv("OMP_NUM_THREADS");
    const int threads = count ? atoi(count) : 1;
    std::vector<std::thread> team;
    for (int t = 1; t < threads; t++)
        team.emplace_back(rows, (int)((long)M * t / threads), (int)((long)M * (t + 1) / threads), N,
                          K, A, B, C);
    rows(0, M / threads, N, K, A, B, C);
    for (std::thread &t : team)
        t.join();
}
