/* compare_f32.c - results of floats. */
#define REAL float
#define MANTISSA 24
#define COMPARE compare_f32
#define SHOW "%.9g"
#include "kernel/compare_real.h"
