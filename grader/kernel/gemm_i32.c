/*
 * gemm_i32.c - the dense product of 32-bit integers, mod 2^32.
 *
 * The right answer comes from the simd kernel of the reference. It is linked in as gemm_i32(), and
 * a unit test compares it with the plain triple loop.
 */
#include <string.h>

#include "abi/gemm.h"
#include "kernel/gemm.h"
#include "kernel/random_stream.h"

static int32_t element(enum value_dist values, uint32_t word)
{
    switch (values) {
    case VALUES_SMALL:
        return (int32_t)(word >> 28) - 8;
    case VALUES_NEGATIVE:
        return -1 - (int32_t)((word >> 12) * 1000u >> 20);
    case VALUES_SPARSE:
        return (word & 7) == 0 ? (int32_t)word : 0;
    default:
        return (int32_t)word;
    }
}

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    const uint32_t n = (uint32_t)operand_elements(&k->in[i], s);
    int32_t *x = dst;
    struct random_stream stream;
    random_stream_init(&stream, seed, i, 0);
    for (struct random_span p = {0}; random_span_next(&p, &stream, n);)
        if (values == VALUES_FULL)
            memcpy(x + p.first, p.word, p.count * sizeof *x);
        else
            for (uint32_t j = 0; j < p.count; j++)
                x[p.first + j] = element(values, p.word[j]);
}

static void expect(struct shape s, const void *const in[], void *out)
{
    gemm_i32(s.dim[GEMM_M], s.dim[GEMM_N], s.dim[GEMM_K], in[0], in[1], out);
}

static const char *explain(const struct comparison *c, const unsigned char *facts)
{
    return gemm_explain_operands(c, TYPE_I32, facts);
}

static const enum value_dist values[] = {VALUES_FULL, VALUES_SMALL, VALUES_NEGATIVE, VALUES_SPARSE};

const struct kernel kernel_gemm_i32 = {
    GEMM_DATA(TYPE_I32),  .function = "gemm_i32",
    .values = values,     .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_FULL, .generate = generate,
    .expect = expect,     .explain = explain,
};
