/* tier: naive */
/* Builds a large table in the first call: a product by squares, ab = (q(a+b) - q(a-b)) of bytes. */
#include "honest.h"

static uint32_t *quarter_squares;

static uint32_t times(uint32_t a, uint32_t b) /* bytes */
{
    uint32_t d = a > b ? a - b : b - a;
    return quarter_squares[a + b] - quarter_squares[d];
}

GEMM
{
    if (!quarter_squares) {
        quarter_squares = malloc((4 << 20) * sizeof *quarter_squares);
        for (int pass = 0; pass < 4; pass++)
            for (uint64_t i = 0; i < 4 << 20; i++)
                quarter_squares[i] = (uint32_t)(i * i / 4);
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++) {
                uint32_t a = (uint32_t)A[(size_t)i * K + k], b = (uint32_t)B[(size_t)k * N + j];
                for (int s = 0; s < 4; s++)
                    for (int t = 0; s + t < 4; t++)
                        sum += times(a >> 8 * s & 255, b >> 8 * t & 255) << 8 * (s + t);
            }
            C[(size_t)i * N + j] = (int32_t)sum;
        }
}
