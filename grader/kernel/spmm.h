/*
 * spmm.h - the product Y = A X of a sparse matrix A (M x N) and a dense one X (N x K), in double,
 * as kernels of the grader: what the ways to store A have in common.
 */
#ifndef KERNEL_SPMM_H
#define KERNEL_SPMM_H

#include "kernel/kernel.h"
#include "kernel/random_stream.h"
#include "kernel/sparse.h"

/* The dimensions of a shape, and the derived ones as extents. */
enum { SPMM_M, SPMM_N, SPMM_K };
enum { SPMM_NNZ = EXTENT_DERIVED, SPMM_WIDTH };

/* The inputs of one call. */
struct spmm {
    int rows, cols, k;
    int width;            /* entries of a row in ELLPACK */
    const int *row_start; /* of CSR; NULL: ELLPACK */
    const int *col;
    const double *val, *x;
};

/* The stored entries of a row. */
struct spmm_row {
    int n;
    const int *col;
    const double *val;
};

static inline struct spmm_row spmm_row(const struct spmm *a, int i)
{
    const size_t from = a->row_start ? (size_t)a->row_start[i] : (size_t)i * (size_t)a->width;
    const int n = a->row_start ? a->row_start[i + 1] - a->row_start[i] : a->width;
    return (struct spmm_row){n, a->col + from, a->val + from};
}

/* The structure of the matrix, and how it is rotated in the run with this seed. */
const struct sparse *spmm_structure(struct shape s, uint64_t seed, struct rotation *r);

/* The values of A or X in one run. */
struct spmm_source {
    struct random_stream random;
    bool rounded;
    int bits; /* of exact values */
};
struct spmm_source spmm_source(struct shape s, enum value_dist values, uint64_t seed, bool of_x);
/* Fill n values from the first-th on. Those of A are counted without padding, so all ways to store
 * A have the same matrix. */
void spmm_fill(struct spmm_source *from, uint32_t first, uint32_t n, double *x);
/* X of one run. */
void spmm_fill_x(struct shape s, enum value_dist values, uint64_t seed, double *x);

/* expect(), scale() and certify() of struct kernel. Exact results are checked in full. */
void spmm_expect(const struct spmm *a, double *y);
void spmm_scale(const struct spmm *a, double *row, double *col);
bool spmm_certify(const struct spmm *a, const struct comparison *c, uint64_t seed);
/* explain(): the zeros of empty rows are wrong, and nothing else; or indices are. */
const char *spmm_explain(const struct spmm *a, const struct comparison *c,
                         const unsigned char *facts);

int spmm_complete(struct shape *s, struct err *e);
double spmm_operations(const struct kernel *k, struct shape s);

extern const struct structure spmm_structures[];
extern const struct shape spmm_edges[];
extern const enum value_dist spmm_values[];
enum { SPMM_STRUCTURES = 4, SPMM_EDGES = 30, SPMM_VALUES = 4 };

/* What the structs have in common. */
#define SPMM_DATA                                                                                  \
    .problem = "spmm", .type = TYPE_F64, .dims = 3, .dim_name = {"M", "N", "K"}, .derived = 2,     \
    .derived_name = {"nnz", "width"}, .facts = 2, .fact_name = {"padding", "nnz_variance"},        \
    .out = {"Y", TYPE_F64, SPMM_M, SPMM_K, 0}, .structures = spmm_structures,                      \
    .structures_count = SPMM_STRUCTURES, .edges = spmm_edges, .edges_count = SPMM_EDGES,           \
    .values = spmm_values, .values_count = SPMM_VALUES, .timed = VALUES_UNIFORM,                   \
    .complete = spmm_complete, .operations = spmm_operations

#define SPMM_X                                                                                     \
    {                                                                                              \
        "X", TYPE_F64, SPMM_N, SPMM_K, 0                                                           \
    }

#endif
