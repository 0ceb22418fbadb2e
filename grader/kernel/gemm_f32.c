/* gemm_f32.c - the dense product of floats. The right answer is computed in double. */
#define REAL float
#define WIDER double
#define MANTISSA 24
#define UNIFORM random_uniform_f32
#define SELF kernel_gemm_f32
#define TYPE TYPE_F32
#define FUNCTION "gemm_f32"
#include "kernel/gemm_real.h"
