/*
 * honest_sums: is a careful floating-point kernel ever called wrong? Products are computed in
 * twelve ways (sums.h), in every kind of values, and compared as in grading.
 *
 *     honest_sums f32|f64 ELEMENTS      exit status 1: an element was called wrong
 *
 * Prints the largest errors of each way in rounded values.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kernel/kernel.h"

#define REAL float
#define NAME(x) x##_f32
#define FMA(a, b, c) fmaf(a, b, c)
#include "sums.h"
#undef REAL
#undef NAME
#undef FMA
#define REAL double
#define NAME(x) x##_f64
#define FMA(a, b, c) fma(a, b, c)
#include "sums.h"

enum { WAYS = sizeof products_f64 / sizeof products_f64[0] };

static const char *const names[WAYS] = {"in order", "backwards", "fused",    "blocked",
                                        "lanes",    "shuffled",  "pairwise", "Kahan",
                                        "Strassen", "2 levels",  "3 levels", "4 levels"};

/* Cubes for Strassen's algorithm, and other shapes for the rest; long sums. */
static const struct shape shapes[] = {
    {.dim = {256, 256, 256}}, {.dim = {512, 512, 512}}, {.dim = {400, 300, 64}},
    {.dim = {640, 640, 17}},  {.dim = {1000, 999, 3}},  {.dim = {128, 128, 2000}},
    {.dim = {33, 65, 9000}},  {.dim = {1, 1000, 100}},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static struct {
    double elements, wrong, max, rms;
} seen[WAYS];

static void *matrix(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        abort();
    return p;
}

static void compute(const struct kernel *k, int way, struct shape s, const void *const in[],
                    void *out)
{
    if (k->type == TYPE_F32)
        products_f32[way](s.dim[0], s.dim[1], s.dim[2], in[0], in[1], out);
    else
        products_f64[way](s.dim[0], s.dim[1], s.dim[2], in[0], in[1], out);
}

/* All ways on one problem. Returns the number of elements that were checked. */
static double check(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed)
{
    const size_t bytes = operand_bytes(&k->out, s);
    void *in[2], *expected = matrix(bytes), *got = matrix(bytes);
    for (int i = 0; i < 2; i++) {
        in[i] = matrix(operand_bytes(&k->in[i], s));
        k->generate(k, s, values, seed, i, in[i]);
    }
    k->expect(s, (const void *const *)in, expected);
    for (int way = 0; way < WAYS; way++) {
        const struct comparison c = {.shape = s,
                                     .values = values,
                                     .in = (const void *const *)in,
                                     .expected = expected,
                                     .got = got,
                                     .launch = {1, 1}};
        struct mismatch m;
        struct accuracy a;
        compute(k, way, s, (const void *const *)in, got);
        seen[way].wrong += (double)kernel_compare(k, &c, &m, &a);
        seen[way].elements += (double)operand_elements(&k->out, s);
        seen[way].max = fmax(seen[way].max, a.max);
        seen[way].rms = fmax(seen[way].rms, a.rms);
        if (m.present)
            printf("%s, %dx%dx%d, %s values, seed %llu: %s, expected %s, got %s\n", names[way],
                   s.dim[0], s.dim[1], s.dim[2], value_dist_name(values), (unsigned long long)seed,
                   m.pattern, m.expected, m.got);
    }
    for (int i = 0; i < 2; i++)
        free(in[i]);
    free(got);
    free(expected);
    return WAYS * (double)operand_elements(&k->out, s);
}

int main(int argc, char **argv)
{
    const enum element_type type = argc == 3 && strcmp(argv[1], "f32") == 0 ? TYPE_F32 : TYPE_F64;
    if (argc != 3 || strcmp(argv[1], type_name(type)) != 0 || !(atof(argv[2]) > 0)) {
        fprintf(stderr, "usage: honest_sums f32|f64 ELEMENTS\n");
        return 2;
    }
    const struct kernel *k = kernel_find("gemm", type);
    double checked = 0, wrong = 0;
    for (uint64_t i = 0; checked < atof(argv[2]); i++)
        checked += check(k, shapes[i / (uint64_t)k->values_count % SHAPES],
                         k->values[i % (uint64_t)k->values_count], rng_mix64(i));
    for (int way = 0; way < WAYS; way++) {
        printf("%-10s %.3g elements, %.0f wrong, largest error %.2f, root mean square %.2f\n",
               names[way], seen[way].elements, seen[way].wrong, seen[way].max, seen[way].rms);
        wrong += seen[way].wrong;
    }
    printf("%s: %.0f of %.3g elements called wrong\n", type_name(type), wrong, checked);
    return wrong > 0;
}
