/*
 * load_assignment.h - assignment files as texts, for tests in a directory of their own
 * (test_dir.h). Include it after "unit.h".
 */
#ifndef TESTS_UNIT_LOAD_ASSIGNMENT_H
#define TESTS_UNIT_LOAD_ASSIGNMENT_H

#include <stdarg.h>
#include <stdio.h>

#include "model/assignment.h"

#include "test_dir.h"

#define HEAD "name: a\nkernel: gemm\ntype: i32\nreference: ref\nbaseline: naive\nyardstick: naive\n"
#define TIER                                                                                       \
    "tiers:\n  - name: naive\n    sources: [naive.c]\n    compile: gcc -shared -o {out} {src}\n"
#define SPARSE                                                                                     \
    "name: a\nkernel: spmm_csr\ntype: f64\nreference: ref\nbaseline: naive\nyardstick: naive\n"
#define MPI_TIER                                                                                   \
    "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}', kind: mpi, launcher: 'm {ranks}', "
#define CUDA_TIER "  - {name: b, sources: b.cu, compile: 'nvcc -o {out} {src}', kind: cuda, "
#define SPARSE_SIZE "performance: {sizes: ['poisson:100x8']}\n"
#define ELL                                                                                        \
    "  - name: ell\n    kernel: spmm_ell\n    sources: [ell.c]\n    compile: gcc -o {out} {src}\n"
#define MATRIX "%%MatrixMarket matrix coordinate pattern general\n"

/* Load the text as a.yaml of the directory. */
static inline int load(const char *text, struct assignment **a, struct err *e)
{
    OWNED char *path = at("a.yaml");
    put_at("a.yaml", text);
    return assignment_load(path, a, e);
}

/* The same for a text that must be right. The caller frees it with assignment_free(). */
__attribute__((format(printf, 1, 2))) static inline struct assignment *loaded(const char *fmt, ...)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    OWNED char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    assert_true(vasprintf(&text, fmt, ap) >= 0);
    va_end(ap);
    if (load(text, &a, &e) != 0)
        fail_msg("%s\n%s", text, e.text);
    return a;
}

static inline void take_profile(struct assignment *a, const char *name)
{
    struct err e = ERR_INIT;
    if (assignment_prepare(a, false, name, NULL, &e) != 0)
        fail_msg("%s", e.text);
}

#endif
