/* expect: fenced pass */
/* Honest: checks what it is given, allocates, prints, does sums. */
#include "attack.h"
#include <assert.h>
#include <math.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t line = (size_t)fmax(64, sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
    int32_t *packed = aligned_alloc(line, ((size_t)K * N * sizeof *B + line - 1) / line * line);
    if (!packed) {
        perror("aligned_alloc");
        exit(EXIT_FAILURE);
    }
    assert(M > 0 && N > 0 && K > 0);
    memcpy(packed, B, (size_t)K * N * sizeof *B);
    fprintf(stderr, "%dx%dx%d: %.0f, %s\n", M, N, K, sqrt(floor(cbrt(M) * pow(N, 2))),
            getenv("OMP_NUM_THREADS") ? "threads" : "no threads");
    answer(M, N, K, A, packed, C);
    free(packed);
}
