#include "kernel/gemm.h"

/* Shapes at which blocked, vectorised, threaded and distributed products are often wrong: single
 * elements and lines, primes, one less and one more than every usual block width, thin and wide
 * matrices, large K. In 1x1x10000, threads that share out K meet at one element all the time. */
const struct shape gemm_edges[GEMM_EDGES] = {
    {{1, 1, 1}},    {{1, 1, 10000}}, {{1, 64, 1}},    {{64, 1, 1}},    {{1, 17, 33}},
    {{17, 1, 33}},  {{17, 33, 1}},   {{2, 3, 5}},     {{7, 7, 7}},     {{8, 8, 8}},
    {{9, 9, 9}},    {{15, 15, 15}},  {{16, 16, 16}},  {{17, 17, 17}},  {{31, 31, 31}},
    {{32, 32, 32}}, {{33, 33, 33}},  {{63, 63, 63}},  {{64, 64, 64}},  {{65, 65, 65}},
    {{7, 16, 64}},  {{16, 7, 64}},   {{64, 16, 7}},   {{8, 9, 16}},    {{9, 8, 16}},
    {{16, 8, 9}},   {{13, 37, 101}}, {{97, 89, 83}},  {{3, 200, 5}},   {{200, 3, 5}},
    {{5, 3, 200}},  {{127, 1, 1}},   {{1, 127, 127}}, {{128, 65, 31}}, {{31, 129, 63}},
    {{4, 4, 1000}}, {{1000, 2, 3}},  {{2, 1000, 3}},
};

double gemm_operations(struct shape s)
{
    return 2.0 * s.dim[GEMM_M] * s.dim[GEMM_N] * s.dim[GEMM_K];
}
