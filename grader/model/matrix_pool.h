/* matrix_pool.h - how much memory the grader holds for matrices. */
#ifndef MODEL_MATRIX_POOL_H
#define MODEL_MATRIX_POOL_H

#include <stdbool.h>
#include <stdint.h>

enum { RUN_PROBLEMS_MOST = 256 };

#define MATRIX_POOL_LEAST (UINT64_C(4) << 20)

/* Bytes of each kind of matrix: each input, the output, the output of the yardstick. */
struct matrix_pool {
    uint64_t host;          /* what kernels on the host use of them */
    uint64_t input, output; /* in all; masked inputs take as much again */
};

/* If the largest matrix has so many bytes. On the host, there is room for some copies of it, so
 * that matrices are at another place in each run; within limits, but for one copy at least. On a
 * device, a run must have many problems, because kernels are fast there, and what a run takes
 * beside them varies by some 10 us. Each problem has an output of its own, and problems share
 * inputs. */
struct matrix_pool matrix_pool_for(uint64_t largest, bool device);

#endif
