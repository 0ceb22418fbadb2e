/*
 * load_kernel_file.h - kernel files as texts, for tests in a directory of their own (test_dir.h).
 * Include it after "unit.h".
 */
#ifndef TESTS_UNIT_LOAD_KERNEL_FILE_H
#define TESTS_UNIT_LOAD_KERNEL_FILE_H

#include "kernel/file.h"

#include "test_dir.h"

#define TRUSTED "trusted: {source: dot.c}\n"
#define DOT                                                                                        \
    "types: [f32, f64]\nfunction: T dot(int n, const T *x, const T *y)\n"                          \
    "operands: {x: {size: [n]}, y: {size: [n]}}\n"
#define PAIRS                                                                                      \
    "types: [f64]\nfunction: void f(int n, int *k, T *v, int *few)\n"                              \
    "operands: {k: {size: [n]}, v: {size: [n]}, few: {size: [1]}}\nvalues: {plain: {}}\n"
#define VALUES "values: {whole: {all: whole}, uniform: {all: uniform -1 1, rounded: true}}\n"

static inline int load(const char *text, const char *type, struct kernel_file **f, struct err *e)
{
    put_at("dot.yaml", text);
    OWNED char *path = at("dot.yaml");
    return kernel_file_load(path, type, f, e);
}

/* The kernel of a file that must be right. */
static inline struct kernel_file *loaded(const char *text, const char *type)
{
    struct kernel_file *f;
    struct err e = ERR_INIT;
    if (load(text, type, &f, &e) != 0)
        fail_msg("%s\n%s", text, e.text);
    return f;
}

static inline struct kernel_file *dot(const char *type)
{
    return loaded(DOT VALUES "operations: 2 * n\nedges: [10007]\n" TRUSTED, type);
}

#endif
