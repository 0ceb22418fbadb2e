/* gemm.h - the dense product C = A B as kernels of the grader: a struct for each type of element,
 * and what they share. A is M x K, B is K x N, C is M x N. */
#ifndef KERNEL_GEMM_H
#define KERNEL_GEMM_H

#include "kernel/kernel.h"

/* The dimensions of a shape. */
enum { GEMM_M, GEMM_N, GEMM_K };

enum { GEMM_EDGES = 39 };
extern const struct shape gemm_edges[GEMM_EDGES];

double gemm_operations(const struct kernel *k, struct shape s);

/* explain(): the result is the product of matrices that are read transposed, or with a wrong row
 * length. */
const char *gemm_explain_operands(const struct comparison *c, enum element_type type,
                                  const unsigned char *facts);

/* What the structs have in common. */
#define GEMM_DATA(of_type)                                                                         \
    .name = "gemm", .problem = "gemm", .type = (of_type), .dims = 3, .dim_name = {"M", "N", "K"},  \
    .inputs = 2, .in = {{"A", of_type, GEMM_M, GEMM_K}, {"B", of_type, GEMM_K, GEMM_N}},           \
    .out = {"C", of_type, GEMM_M, GEMM_N}, .edges = gemm_edges, .edges_count = GEMM_EDGES,         \
    .operations = gemm_operations

#endif
