/*
 * generator.h - the values of an operand, as words of a kernel file: "uniform -1 1", "sorted
 * whole", "plant 7 0.5 uniform 0 6".
 *
 * A generator is a pure function of shape, kind and seed. Where words of the file say only how
 * elements are related (sorted, few), another generator follows, which makes the elements.
 */
#ifndef KERNEL_GENERATOR_H
#define KERNEL_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/values.h"

enum generator_kind {
    GENERATE_WHOLE,       /* whole numbers without 0; bits: as sums stay exact */
    GENERATE_UNIFORM,     /* between two numbers */
    GENERATE_FULL,        /* all bits of an integer */
    GENERATE_CONSTANT,    /* one number */
    GENERATE_CHOICE,      /* one of some numbers */
    GENERATE_PERMUTATION, /* 0 .. n - 1 in any order */
    GENERATE_DISTINCT,    /* different whole numbers in any order, some left out */
    GENERATE_BELOW,       /* 0 .. a dimension - 1: indices, ends of edges */
    GENERATE_COUNT,       /* a number, that number + 1, ..., modulo a dimension */
    GENERATE_CALL,        /* what a C function of the instructor makes; here zeros (file_maker.c) */
    GENERATE_OFFSETS,     /* ascending, from 0 to a dimension: where rows of entries begin */
    GENERATE_SPARSE,      /* a share of the elements, the others are 0 */
    GENERATE_FEW,         /* few different elements */
    GENERATE_PLANT,       /* a number at some places */
    GENERATE_SORTED,      /* ascending */
    GENERATE_REVERSED,    /* descending */
    GENERATE_SYMMETRIC,   /* of a square matrix */
    GENERATE_LOWER,       /* the same, with zeros above the diagonal */
    GENERATE_DOMINANT,    /* the same, with large elements in the diagonal */
};

enum { GENERATOR_NUMBERS = 8, GENERATOR_MOST = 3 };

struct generator {
    enum generator_kind kind;
    double number[GENERATOR_NUMBERS];
    int numbers;
    int dimension; /* that its numbers are below */
};

/* The first generator makes the elements; each other one changes what those before it made. */
struct generators {
    struct generator item[GENERATOR_MOST];
    int count;
};

/* An operand, as far as words for it depend on it. */
struct generator_site {
    enum element_type type;
    const char *const *dim; /* names of dimensions */
    int dims;
    bool square; /* it has as many rows as columns, whatever the dimensions */
};

/* Read the words. 0, or -1 with a reason that says what there is. */
int generators_read(const char *text, const struct generator_site *site, struct generators *g,
                    struct err *e);

/* Are all elements whole numbers? Then results can be exact. */
bool generators_are_whole(const struct generators *g, enum element_type type);

/* Does a C function make the elements? */
static inline bool generators_call(const struct generators *g)
{
    return g->item[0].kind == GENERATE_CALL;
}

/* What is filled. The streams of different inputs and seeds have nothing to do with each other. */
struct generator_target {
    enum element_type type;
    uint32_t n;     /* elements */
    const int *dim; /* the dimensions */
    double terms;   /* of the longest sum of products of such elements */
    uint64_t seed;
    int input; /* of the kernel */
};

void generators_fill(const struct generators *g, const struct generator_target *t, void *dst);

#endif
