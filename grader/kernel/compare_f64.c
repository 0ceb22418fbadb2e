/* compare_f64.c - results of doubles. */
#define REAL double
#define MANTISSA 53
#define COMPARE compare_f64
#define SHOW "%.17g"
#include "kernel/compare_real.h"
