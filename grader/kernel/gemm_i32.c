/*
 * gemm_i32.c - the dense product of 32-bit integers, mod 2^32.
 *
 * The right answer comes from the simd kernel of the reference. It is linked in as gemm_i32(), and
 * a unit test compares it with the plain triple loop.
 */
#include "abi/gemm.h"
#include "kernel/gemm.h"
#include "kernel/random.h"

RANDOM_FILLS static void generate(struct shape s, enum value_dist values, uint64_t seed, int i,
                                  void *dst)
{
    const struct random_key key = random_key(seed, i);
    const uint32_t n = (uint32_t)operand_elements(&kernel_gemm_i32.in[i], s);
    int32_t *x = dst;
    switch (values) {
    case VALUES_SMALL:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)(random_word(j, key) >> 28) - 8;
        return;
    case VALUES_NEGATIVE:
        for (uint32_t j = 0; j < n; j++)
            x[j] = -1 - (int32_t)((random_word(j, key) >> 12) * 1000u >> 20);
        return;
    case VALUES_SPARSE:
        for (uint32_t j = 0; j < n; j++) {
            uint32_t v = random_word(j, key);
            x[j] = (v & 7) == 0 ? (int32_t)v : 0;
        }
        return;
    default:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)random_word(j, key);
        return;
    }
}

static void expect(struct shape s, const void *const in[], void *out)
{
    gemm_i32(s.dim[GEMM_M], s.dim[GEMM_N], s.dim[GEMM_K], in[0], in[1], out);
}

static const enum value_dist values[] = {VALUES_FULL, VALUES_SMALL, VALUES_NEGATIVE, VALUES_SPARSE};

const struct kernel kernel_gemm_i32 = {
    GEMM_DATA(TYPE_I32),  .function = "gemm_i32",
    .values = values,     .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_FULL, .generate = generate,
    .expect = expect,
};
