/* gemm_f64.c - the dense product of doubles. The right answer is computed in long double;
 * exact.h checks that it is wide enough. */
#define REAL double
#define WIDER long double
#define MANTISSA 53
#define UNIFORM random_uniform_f64
#define SELF kernel_gemm_f64
#define TYPE TYPE_F64
#define FUNCTION "gemm_f64"
#include "kernel/gemm_real.h"
