#include "kernel/gemm.h"

/* Shapes at which blocked, vectorised, threaded and distributed products are often wrong: single
 * elements and lines, primes, one less and one more than every usual block width, thin and wide
 * matrices, large K. In 1x1x10000, threads that share out K meet at one element all the time. The
 * order of the last ones matters: 96x3x5 comes after a larger call with few columns, so that what a
 * program keeps from that call is too long. In 3x1030x544 and 3x1030x1024, C has more than one wide
 * panel; the last block of K is a part of one, and a whole one. */
const struct shape gemm_edges[GEMM_EDGES] = {
    {.dim = {1, 1, 1}},       {.dim = {1, 1, 10000}}, {.dim = {1, 64, 1}},
    {.dim = {64, 1, 1}},      {.dim = {1, 17, 33}},   {.dim = {17, 1, 33}},
    {.dim = {17, 33, 1}},     {.dim = {2, 3, 5}},     {.dim = {7, 7, 7}},
    {.dim = {8, 8, 8}},       {.dim = {9, 9, 9}},     {.dim = {15, 15, 15}},
    {.dim = {16, 16, 16}},    {.dim = {17, 17, 17}},  {.dim = {31, 31, 31}},
    {.dim = {32, 32, 32}},    {.dim = {33, 33, 33}},  {.dim = {63, 63, 63}},
    {.dim = {64, 64, 64}},    {.dim = {65, 65, 65}},  {.dim = {7, 16, 64}},
    {.dim = {16, 7, 64}},     {.dim = {64, 16, 7}},   {.dim = {8, 9, 16}},
    {.dim = {9, 8, 16}},      {.dim = {16, 8, 9}},    {.dim = {13, 37, 101}},
    {.dim = {97, 89, 83}},    {.dim = {3, 200, 5}},   {.dim = {5, 3, 200}},
    {.dim = {127, 1, 1}},     {.dim = {1, 127, 127}}, {.dim = {128, 65, 31}},
    {.dim = {31, 129, 63}},   {.dim = {4, 4, 1000}},  {.dim = {3, 1030, 544}},
    {.dim = {1000, 2, 1000}}, {.dim = {96, 3, 5}},    {.dim = {3, 1030, 1024}},
};

double gemm_operations(const struct kernel *k, struct shape s)
{
    (void)k;
    return 2.0 * s.dim[GEMM_M] * s.dim[GEMM_N] * s.dim[GEMM_K];
}
