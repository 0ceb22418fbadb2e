/* tier: openmp */
/* target regions, which run on the host where there is no device. */
#include "honest.h"
#include <omp.h>

GEMM
{
    if (omp_get_num_devices() > 0)
        omp_set_default_device(omp_get_initial_device());
#pragma omp target teams distribute parallel for map(to                                            \
                                                     : A [0:M * K], B [0:K * N])                   \
    map(from                                                                                       \
        : C [0:M * N])
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}
