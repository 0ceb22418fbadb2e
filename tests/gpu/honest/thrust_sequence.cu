/* Thrust: one element per index of a counting iterator, on the given stream. */
#include "kernel.h"
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

struct element {
    int N, K;
    const int32_t *A, *B;
    int32_t *C;
    __device__ void operator()(long long e) const
    {
        uint32_t sum = 0;
        for (int k = 0; k < K; k++)
            sum += (uint32_t)A[e / N * K + k] * (uint32_t)B[(size_t)k * N + e % N];
        C[e] = (int32_t)sum;
    }
};

KERNEL(stream)
{
    auto from = thrust::counting_iterator<long long>(0);
    thrust::for_each(thrust::cuda::par.on(stream), from, from + (long long)M * N,
                     element{N, K, A, B, C});
}
