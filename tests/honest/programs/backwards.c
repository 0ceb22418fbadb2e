/* tier: naive */
/* From the last element to the first. */
#include "honest.h"

GEMM
{
    for (int i = M; i-- > 0;)
        for (int j = N; j-- > 0;) {
            int32_t sum = 0;
            for (int k = K; k-- > 0;)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}
