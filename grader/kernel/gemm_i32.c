/*
 * gemm_i32.c - the dense product of 32-bit integers, mod 2^32.
 *
 * The right answer comes from the simd kernel of the reference. It is linked in as gemm_i32(), and
 * a unit test compares it with the plain triple loop.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gemm.h"
#include "base/strbuf.h"
#include "kernel/gemm.h"
#include "kernel/pattern.h"

static size_t input_bytes(struct shape s, int i)
{
    return gemm_elements_in(s, i) * sizeof(int32_t);
}

static size_t output_bytes(struct shape s)
{
    return gemm_elements_out(s) * sizeof(int32_t);
}

static void generate(struct shape s, enum value_dist values, uint64_t seed, int i, void *dst)
{
    const struct gemm_key key = gemm_key(seed, i);
    const uint32_t n = (uint32_t)gemm_elements_in(s, i);
    int32_t *x = dst;
    switch (values) {
    case VALUES_SMALL:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)(gemm_random(j, key) >> 28) - 8;
        return;
    case VALUES_NEGATIVE:
        for (uint32_t j = 0; j < n; j++)
            x[j] = -1 - (int32_t)((gemm_random(j, key) >> 12) * 1000u >> 20);
        return;
    case VALUES_SPARSE:
        for (uint32_t j = 0; j < n; j++) {
            uint32_t v = gemm_random(j, key);
            x[j] = (v & 7) == 0 ? (int32_t)v : 0;
        }
        return;
    default:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)gemm_random(j, key);
        return;
    }
}

static void expect(struct shape s, const void *const in[], void *out)
{
    gemm_i32(s.m, s.n, s.k, in[0], in[1], out);
}

static int32_t poison_at(uint64_t poison, size_t i)
{
    return (int32_t)(uint32_t)(i % 2 ? poison >> 32 : poison);
}

static unsigned char facts_of(int32_t expected, int32_t got, int32_t poison)
{
    if (expected == got)
        return 0;
    return (unsigned char)(ELEMENT_WRONG | (got == poison ? ELEMENT_UNTOUCHED : 0) |
                           (got == INT32_MIN ? ELEMENT_INT_MIN : 0) |
                           ((uint32_t)got - (uint32_t)poison == (uint32_t)expected
                                ? ELEMENT_ADDED_TO
                                : 0));
}

static bool transposed(struct shape s, const int32_t *expected, const int32_t *got)
{
    const size_t n = (size_t)s.m;
    if (s.m != s.n || n == 1)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (got[i * n + j] != expected[j * n + i])
                return false;
    return true;
}

static uint64_t compare(const struct comparison *c, struct mismatch *m, struct accuracy *a)
{
    const size_t n = gemm_elements_out(c->shape);
    const int32_t *expected = c->expected, *got = c->got;
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    if (memcmp(expected, got, n * sizeof *got) == 0)
        return 0;
    unsigned char *facts = xcalloc(n, sizeof *facts);
    for (size_t i = 0; i < n; i++)
        facts[i] = facts_of(expected[i], got[i], poison_at(c->poison, i));
    const struct wrong_elements w = {c->shape.m, c->shape.n, facts,
                                     transposed(c->shape, expected, got), c->launch};
    pattern_describe(&w, m);
    free(facts);
    const size_t first = (size_t)m->row * (size_t)c->shape.n + (size_t)m->col;
    snprintf(m->expected, sizeof m->expected, "%d", (int)expected[first]);
    snprintf(m->got, sizeof m->got, "%d", (int)got[first]);
    return m->wrong;
}

static double bytes(struct shape s)
{
    return gemm_bytes(s, sizeof(int32_t));
}

static const enum value_dist values[] = {VALUES_FULL, VALUES_SMALL, VALUES_NEGATIVE, VALUES_SPARSE};

const struct kernel kernel_gemm_i32 = {
    .name = "gemm",
    .type = TYPE_I32,
    .inputs = 2,
    .input_name = {"A", "B"},
    .output_name = "C",
    .function = "gemm_i32",
    .input_bytes = input_bytes,
    .output_bytes = output_bytes,
    .values = values,
    .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_FULL,
    .generate = generate,
    .expect = expect,
    .compare = compare,
    .operations = gemm_operations,
    .bytes = bytes,
};
