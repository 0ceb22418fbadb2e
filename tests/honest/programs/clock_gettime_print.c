/* tier: clocks */
/* Times itself with the C library's clocks and prints what it found. */
#include "honest.h"
#include <sys/time.h>
#include <time.h>

GEMM
{
    struct timespec from, to, cpu;
    struct timeval day;
    clock_t ticks = clock();
    clock_gettime(CLOCK_MONOTONIC, &from);
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
    clock_gettime(CLOCK_MONOTONIC, &to);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    gettimeofday(&day, NULL);
    printf("%dx%dx%d: %.9f s, %ld ticks, %ld s in all, at %ld\n", M, N, K,
           (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9,
           (long)(clock() - ticks), (long)cpu.tv_sec, (long)day.tv_sec);
}
