/* larger.h - the larger of two numbers. */
#ifndef BASE_LARGER_H
#define BASE_LARGER_H

#include <stdint.h>

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
