/* tier: naive */
/* A packing buffer that must not be paged out. */
#include "honest.h"
#include <sys/mman.h>

GEMM
{
    static int32_t packed[64 * 64];
    static int locked;
    if (!locked++ && mlock(packed, sizeof packed) != 0)
        perror("mlock"); /* a limit: slower, not wrong */
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0; k0 < K; k0 += 64)
        for (int j0 = 0; j0 < N; j0 += 64) {
            int kn = least(64, K - k0), jn = least(64, N - j0);
            for (int k = 0; k < kn; k++)
                memcpy(packed + k * 64, B + (size_t)(k0 + k) * N + j0, jn * sizeof *B);
            for (int i = 0; i < M; i++)
                for (int k = 0; k < kn; k++)
                    for (int j = 0; j < jn; j++)
                        C[(size_t)i * N + j0 + j] += A[(size_t)i * K + k0 + k] * packed[k * 64 + j];
        }
}
