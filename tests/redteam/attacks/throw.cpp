/* expect: naive crash */
/* Throw through the driver. */
#include "gemm.h"

extern "C" void gemm_i32(int, int, int, const int32_t *, const int32_t *, int32_t *)
{
    throw 1;
}
