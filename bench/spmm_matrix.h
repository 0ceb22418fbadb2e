/*
 * spmm_matrix.h - the sparse matrices of the benchmarks, for C and C++.
 *
 * Three kinds of structure: a regular one (five-point Laplacian), one with random columns, and a
 * power law, in which few rows have many entries (R-MAT). Values are small whole numbers other than
 * zero, so sums are exact in every order.
 */
#ifndef BENCH_SPMM_MATRIX_H
#define BENCH_SPMM_MATRIX_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A in CSR: M x N, columns ascend within a row. Owns its arrays, which begin at 64-byte boundaries.
 */
struct matrix {
    const char *name;
    int M, N, nnz;
    int *row_start; /* M + 1 */
    int *col;       /* nnz */
    double *val;    /* nnz */
};

static inline void *matrix_alloc(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!p) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

static inline uint64_t matrix_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline struct matrix matrix_new(const char *name, int M, int N, int most)
{
    struct matrix a;
    a.name = name;
    a.M = M;
    a.N = N;
    a.nnz = 0;
    a.row_start = (int *)matrix_alloc(((size_t)M + 1) * sizeof(int));
    a.col = (int *)matrix_alloc((size_t)most * sizeof(int));
    a.val = NULL;
    return a;
}

static inline void matrix_values(struct matrix *a)
{
    uint64_t state = 1;
    a->val = (double *)matrix_alloc((size_t)a->nnz * sizeof(double));
    for (int p = 0; p < a->nnz; p++)
        a->val[p] = (double)(matrix_random(&state) % 8) - 8;
}

static inline void matrix_free(struct matrix *a)
{
    free(a->row_start);
    free(a->col);
    free(a->val);
}

static inline int matrix_order(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sort n columns and remove repeated ones. Returns how many are left. */
static inline int matrix_sort(int *col, int n)
{
    int kept = 0;
    qsort(col, (size_t)n, sizeof *col, matrix_order);
    for (int i = 0; i < n; i++)
        if (kept == 0 || col[i] != col[kept - 1])
            col[kept++] = col[i];
    return kept;
}

/* The five-point Laplacian on a grid of side x side points. */
static inline struct matrix matrix_poisson(int side)
{
    struct matrix a = matrix_new("Poisson", side * side, side * side, 5 * side * side);
    for (int i = 0; i < a.M; i++) {
        a.row_start[i] = a.nnz;
        if (i >= side)
            a.col[a.nnz++] = i - side;
        if (i % side > 0)
            a.col[a.nnz++] = i - 1;
        a.col[a.nnz++] = i;
        if (i % side < side - 1)
            a.col[a.nnz++] = i + 1;
        if (i < a.M - side)
            a.col[a.nnz++] = i + side;
    }
    a.row_start[a.M] = a.nnz;
    matrix_values(&a);
    return a;
}

/* `per_row` entries in each row, at random columns of `rows`. */
static inline struct matrix matrix_uniform(int rows, int per_row)
{
    struct matrix a = matrix_new("uniform", rows, rows, rows * per_row);
    uint64_t state = 2;
    for (int i = 0; i < rows; i++) {
        int n = 0, *col = a.col + a.nnz;
        a.row_start[i] = a.nnz;
        while (n < per_row) {
            while (n < per_row)
                col[n++] = (int)(matrix_random(&state) % (uint64_t)rows);
            n = matrix_sort(col, n);
        }
        a.nnz += per_row;
    }
    a.row_start[rows] = a.nnz;
    matrix_values(&a);
    return a;
}

/* R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, SDM 2004): 2^scale rows, `per_row` edges for each,
 * quadrants with probabilities .57, .19, .19, .05. Repeated edges count once. */
static inline struct matrix matrix_rmat(int scale, int per_row)
{
    const int rows = 1 << scale, edges = rows * per_row;
    struct matrix a = matrix_new("R-MAT", rows, rows, edges);
    int *from = (int *)matrix_alloc((size_t)edges * sizeof(int));
    int *to = (int *)matrix_alloc((size_t)edges * sizeof(int));
    int *next = (int *)matrix_alloc(((size_t)rows + 1) * sizeof(int));
    uint64_t state = 3;
    memset(next, 0, ((size_t)rows + 1) * sizeof(int));
    for (int e = 0; e < edges; e++) {
        int i = 0, j = 0;
        for (int level = 0; level < scale; level++) {
            const double u = (double)(matrix_random(&state) >> 11) * 0x1p-53;
            i = 2 * i + (u >= .76);
            j = 2 * j + ((u >= .57 && u < .76) || u >= .95);
        }
        from[e] = i;
        to[e] = j;
        next[i + 1]++;
    }
    for (int i = 0; i < rows; i++)
        next[i + 1] += next[i];
    memcpy(a.row_start, next, ((size_t)rows + 1) * sizeof(int));
    for (int e = 0; e < edges; e++)
        a.col[next[from[e]]++] = to[e];
    for (int i = 0; i < rows; i++) {
        const int begin = a.row_start[i],
                  n = matrix_sort(a.col + begin, a.row_start[i + 1] - begin);
        memmove(a.col + a.nnz, a.col + begin, (size_t)n * sizeof(int));
        a.row_start[i] = a.nnz;
        a.nnz += n;
    }
    a.row_start[rows] = a.nnz;
    free(from);
    free(to);
    free(next);
    matrix_values(&a);
    return a;
}

/* A matrix in ELLPACK (see spmm.h): M x width. Owns its arrays. */
struct matrix_ell {
    int width; /* 0, and null pointers, if a row has more entries than wanted */
    int *col;
    double *val;
};

/* A in ELLPACK, if no row has more than `most` entries. */
static inline struct matrix_ell matrix_ell_of(const struct matrix *a, int most)
{
    struct matrix_ell e = {0, NULL, NULL};
    int width = 0;
    size_t to = 0;
    for (int i = 0; i < a->M; i++)
        if (a->row_start[i + 1] - a->row_start[i] > width)
            width = a->row_start[i + 1] - a->row_start[i];
    if (width > most)
        return e;
    e.width = width;
    e.col = (int *)matrix_alloc((size_t)a->M * (size_t)width * sizeof(int));
    e.val = (double *)matrix_alloc((size_t)a->M * (size_t)width * sizeof(double));
    for (int i = 0; i < a->M; i++) {
        int last = 0;
        for (int p = a->row_start[i]; p < a->row_start[i] + width; p++, to++) {
            const int used = p < a->row_start[i + 1];
            last = used ? a->col[p] : last;
            e.col[to] = last;
            e.val[to] = used ? a->val[p] : 0;
        }
    }
    return e;
}

static inline void matrix_ell_free(struct matrix_ell *e)
{
    free(e->col);
    free(e->val);
}

/* X: n whole numbers below 2^10. */
static inline double *matrix_dense(size_t n)
{
    uint64_t state = 4;
    double *x = (double *)matrix_alloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(matrix_random(&state) >> 54);
    return x;
}

/* The bytes that a product must move between memory and processor. */
static inline double matrix_bytes(const struct matrix *a, int K)
{
    return 12.0 * a->nnz + 4.0 * (a->M + 1) + 8.0 * K * ((double)a->N + a->M);
}

#endif
