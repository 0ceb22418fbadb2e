/* gemm_i32.h - the dense product of 32-bit integers as a kernel of the grader. */
#ifndef KERNEL_GEMM_I32_H
#define KERNEL_GEMM_I32_H

#include "kernel/kernel.h"

extern const struct kernel kernel_gemm_i32;

#endif
