/* tier: naive */
/* Sets the rounding of floating point for its own estimate, and puts it back. */
#include "honest.h"
#include <fenv.h>
#include <math.h>

GEMM
{
    fenv_t before;
    feholdexcept(&before);
    fesetround(FE_UPWARD);
    volatile double work = 2.0 * M * N * K;
    int step = (int)ceil(cbrt(work)) / 4 + 1;
    feclearexcept(FE_ALL_EXCEPT);
    fesetenv(&before);
    for (int i = 0; i < M; i += step)
        rows(i, least(M, i + step), N, K, A, B, C);
}
