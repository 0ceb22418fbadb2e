/* What holds for every kernel: its right answers are accepted, and any wrong element is noticed. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../helpers/rng_unit.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "kernel/random_stream.h"

static const struct kernel *const kernels[] = {
#define KERNEL(name) &kernel_##name,
#include "kernel/kernels.def"
#undef KERNEL
};

enum { KERNELS = sizeof kernels / sizeof kernels[0], ALIGNMENT = 64 };

/* A case and its right answer. */
struct problem {
    const struct kernel *k;
    struct shape shape;
    enum value_dist values;
    void *in[KERNEL_MAX_INPUTS], *expected, *got;
    size_t out_bytes;
};

static void *matrix(size_t bytes)
{
    void *p = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    assert_non_null(p);
    return p;
}

static struct problem make(const struct kernel *k, struct shape s, enum value_dist v, uint64_t seed)
{
    struct problem p = {.k = k, .shape = s, .values = v, .out_bytes = operand_bytes(&k->out, s)};
    for (int i = 0; i < k->inputs; i++) {
        p.in[i] = matrix(operand_bytes(&k->in[i], s));
        k->generate(k, s, v, seed, i, p.in[i]);
    }
    p.expected = matrix(p.out_bytes);
    p.got = matrix(p.out_bytes);
    k->expect(s, (const void *const *)p.in, p.expected);
    memcpy(p.got, p.expected, p.out_bytes);
    return p;
}

static void discard(struct problem *p)
{
    for (int i = 0; i < p->k->inputs; i++)
        free(p->in[i]);
    free(p->expected);
    free(p->got);
}

static uint64_t compare(const struct problem *p, uint64_t poison, struct mismatch *m)
{
    struct accuracy a;
    const struct comparison c = {.shape = p->shape,
                                 .values = p->values,
                                 .in = (const void *const *)p->in,
                                 .expected = p->expected,
                                 .got = p->got,
                                 .poison = poison,
                                 .launch = {1, 1}};
    return kernel_compare(p->k, &c, m, &a);
}

/* Add so much that it is wrong by any rule. */
static void spoil(const struct problem *p, size_t at)
{
    if (p->k->out.type == TYPE_I32)
        ((int32_t *)p->got)[at] ^= 1;
    else if (p->k->out.type == TYPE_F32)
        ((float *)p->got)[at] += 1 + fabsf(((float *)p->got)[at]);
    else
        ((double *)p->got)[at] += 1 + fabs(((double *)p->got)[at]);
}

/* Call a function for every kernel, edge shape and kind of values. */
static void for_all(void (*check)(struct problem *p))
{
    for (size_t i = 0; i < KERNELS; i++)
        for (int e = 0; e < kernels[i]->edges_count; e++)
            for (int v = 0; v < kernels[i]->values_count; v++) {
                struct shape s = kernels[i]->edges[e];
                assert_int_equal(kernel_complete(kernels[i], &s, NULL), 0);
                struct problem p = make(kernels[i], s, kernels[i]->values[v], 17);
                check(&p);
                discard(&p);
            }
}

static void is_accepted(struct problem *p)
{
    struct mismatch m;
    assert_int_equal(compare(p, 0, &m), 0);
    assert_false(m.present);
}

TEST(right_answers)
{
    for_all(is_accepted);
}

static void is_noticed(struct problem *p)
{
    const size_t n = operand_elements(&p->k->out, p->shape),
                 cols = operand_cols(&p->k->out, p->shape);
    const size_t at = rng_at(5, n) % n;
    struct mismatch m;
    spoil(p, at);
    assert_int_equal(compare(p, 0, &m), 1);
    assert_int_equal((size_t)m.row * cols + (size_t)m.col, at);
    assert_int_equal(m.total, n);
    assert_string_not_equal(m.expected, m.got);
}

TEST(one_wrong_element)
{
    for_all(is_noticed);
}

static void is_untouched(struct problem *p)
{
    const uint64_t poison = kernel_poison_pattern(p->k, UINT64_C(0x9e3779b97f4a7c15));
    struct mismatch m;
    kernel_poison(p->got, p->out_bytes, poison);
    const uint64_t wrong = compare(p, poison, &m);
    assert_int_equal(wrong, m.total);
    assert_non_null(strstr(m.pattern, "every element; never written"));
}

TEST(never_written)
{
    for_all(is_untouched);
}

/* --- shortcuts -------------------------------------------------------------------------------- */

/* Drop the bits of a float below the first `bits` of its mantissa. */
static float cut_to(float x, int bits)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word &= ~((UINT32_C(1) << (24 - bits)) - 1);
    memcpy(&x, &word, sizeof x);
    return x;
}

static float round_to(float x, int bits)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word += UINT32_C(1) << (23 - bits);
    memcpy(&x, &word, sizeof x);
    return cut_to(x, bits);
}

typedef float split(float x, int bits);

/* A product by pairs of numbers that have so many bits. chop: the bits that partial sums keep, as
 * in tensor cores. */
static void by_pairs(struct problem *p, split *high, split *low, int bits, int chop)
{
    const int n = p->shape.dim[0], depth = p->shape.dim[2];
    const float *a = p->in[0], *b = p->in[1];
    float *c = p->got;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < depth; k++) {
                const float x = a[i * depth + k], y = b[k * n + j];
                const float xh = high(x, bits), yh = high(y, bits);
                const float xl = low(x - xh, bits), yl = low(y - yh, bits);
                sum = cut_to(sum + (xh * yh + (xh * yl + xl * yh)), chop);
            }
            c[i * n + j] = sum;
        }
}

/* Add noise of so many units of error, as the root mean square. */
static void add_noise(struct problem *p, double units)
{
    const int n = p->shape.dim[0];
    float *c = p->got;
    for (int i = 0; i < n * n; i++)
        /* |a| |b| = depth / 3 for uniform elements; a uniform number in -1 .. 1 has 1 / sqrt(3) */
        c[i] += (float)(units * sqrt(3) * 0x1p-24 * p->shape.dim[2] / 3 *
                        (2 * rng_unit(rng_at(7, (uint64_t)i)) - 1));
}

/* Pairs of bfloat16 numbers pass all limits, and are noticed. What is as inaccurate for other
 * reasons is not. */
TEST(shortcuts)
{
    static const struct {
        const char *name;
        split *high, *low;
        int bits, chop;
        double noise;
        bool wrong;
    } table[] = {
        {"rounded pairs", round_to, round_to, 8, 24, 0, true},
        {"cut pairs", cut_to, cut_to, 8, 24, 0, true},
        {"pairs of which one is cut", round_to, cut_to, 8, 24, 0, true},
        {"rounded pairs under noise", round_to, round_to, 8, 24, 8, true},
        {"floats", cut_to, cut_to, 24, 24, 0, false},
        {"floats under noise", cut_to, cut_to, 24, 24, 8, false},
        {"partial sums that are cut", cut_to, cut_to, 24, 23, 0, false},
        {"pairs of TF32", round_to, round_to, 11, 24, 0, false},
        {"cut pairs of TF32, with partial sums that are cut", cut_to, cut_to, 11, 23, 0, false},
    };
    static const int depths[] = {100, 300, 512};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
            struct problem p = make(&kernel_gemm_f32, (struct shape){.dim = {96, 96, depths[d]}},
                                    VALUES_UNIFORM, 3);
            struct mismatch m;
            by_pairs(&p, table[i].high, table[i].low, table[i].bits, table[i].chop);
            add_noise(&p, table[i].noise);
            const bool wrong = compare(&p, 0, &m) > 0;
            /* Some are above the limits, too. Then a pattern of rows may be all that is said. */
            const bool named = depths[d] != 512 || strstr(m.pattern, "hold 16 bits") ||
                               strstr(m.pattern, "16-bit product");
            if (wrong != table[i].wrong || (wrong && !named))
                fail_msg("%s, depth %d: %s", table[i].name, depths[d], wrong ? m.pattern : "right");
            discard(&p);
        }
}

/* Floating-point inputs have both signs, in every kind of values. */
TEST(signs)
{
    for (size_t i = 0; i < KERNELS; i++)
        for (int v = 0; v < kernels[i]->values_count; v++) {
            const struct kernel *k = kernels[i];
            struct problem p = make(k, kernel_cube(k, 40), k->values[v], 1);
            for (int in = 0; in < k->inputs; in++) {
                const size_t n = operand_elements(&k->in[in], p.shape);
                size_t above = 0, below = 0;
                for (size_t j = 0; j < n; j++) {
                    const double x = k->in[in].type == TYPE_F32   ? (double)((float *)p.in[in])[j]
                                     : k->in[in].type == TYPE_F64 ? ((double *)p.in[in])[j]
                                                                  : 0;
                    above += x > 0;
                    below += x < 0;
                }
                if (k->in[in].type != TYPE_I32)
                    assert_true(above > n / 40 && below > n / 40);
            }
            discard(&p);
        }
}

/* A pure function of its arguments; another seed gives other values. */
TEST(generated)
{
    for (size_t i = 0; i < KERNELS; i++) {
        const struct kernel *k = kernels[i];
        const struct shape s = kernel_cube(k, 40);
        struct problem a = make(k, s, k->timed, 1), b = make(k, s, k->timed, 1),
                       c = make(k, s, k->timed, 2);
        for (int in = 0; in < k->inputs; in++) {
            assert_memory_equal(a.in[in], b.in[in], operand_bytes(&k->in[in], s));
            /* Rows of equal lengths start at the same places, whatever the seed is. */
            if (k->in[in].type == k->type)
                assert_memory_not_equal(a.in[in], c.in[in], operand_bytes(&k->in[in], s));
        }
        assert_memory_not_equal(a.expected, c.expected, a.out_bytes);
        discard(&a);
        discard(&b);
        discard(&c);
    }
}

/* The yardstick is certified with the first values and with those of timed runs. */
TEST(certified)
{
    for (size_t i = 0; i < KERNELS; i++)
        for (int timed = 0; timed < 2 && kernels[i]->certify; timed++) {
            const struct kernel *k = kernels[i];
            struct problem p = make(k, kernel_cube(k, 33), timed ? k->timed : k->values[0], 3);
            const struct comparison c = {.shape = p.shape,
                                         .values = p.values,
                                         .in = (const void *const *)p.in,
                                         .got = p.got};
            const size_t n = operand_elements(&k->out, p.shape);
            assert_true(k->certify(&c, 11));
            for (size_t at = 0; at < n; at++) /* of rounded results, some rows are looked at */
                if (value_dist_exact(p.values) ? at == n / 3 : at % 33 == 5)
                    spoil(&p, at);
            assert_false(k->certify(&c, 11));
            discard(&p);
        }
}

TEST(described)
{
    for (size_t i = 0; i < KERNELS; i++) {
        const struct kernel *k = kernels[i];
        OWNED char *function = xasprintf("%s_%s", k->name, type_name(k->type));
        int arguments[SHAPE_DIMS];
        assert_string_equal(k->function, function);
        assert_ptr_equal(kernel_find(k->name, k->type), k);
        assert_in_range(k->dims, 1, SHAPE_DIMS);
        assert_in_range(kernel_arguments(k, kernel_cube(k, 10), arguments), k->dims, SHAPE_DIMS);
        assert_int_equal(strncmp(k->name, k->problem, strlen(k->problem)), 0);
        for (int d = 0; d < k->dims; d++)
            for (int other = 0; other < d; other++)
                assert_string_not_equal(k->dim_name[d], k->dim_name[other]);
        for (int v = 0; v < k->values_count; v++)
            assert_true(value_dist_exact(k->values[v]) || k->scale);
        for (int e = 0; e < k->edges_count; e++)
            assert_int_equal(shape_dims(k->edges[e]), k->dims);
        assert_true(kernel_operations(k, kernel_cube(k, 10)) > 0);
    }
    /* So the first type of a kernel follows its last one. */
    for (size_t n = 0; kernel_names()[n]; n++)
        for (size_t other = 0; other < n; other++)
            assert_string_not_equal(kernel_names()[n], kernel_names()[other]);
    assert_null(kernel_find("gemv", TYPE_I32));
    OWNED char *types = kernel_types("gemm");
    assert_string_equal(types, "i32, f32, f64");
}

/* As it is read from a file: the path alone. */
TEST(matrix_not_read)
{
    for (size_t i = 0; i < KERNELS; i++) {
        struct err e = ERR_INIT;
        struct shape s = {.structure = {.family = STRUCTURE_FILE, .file = "a.mtx"},
                          .dim = {3, 3, 3}};
        assert_int_equal(kernel_complete(kernels[i], &s, &e), -1);
        assert_non_null(strstr(e.text, "a.mtx"));
        assert_int_equal(s.dim[0], 3);
    }
}

static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d ^= *a, *d = *d << 16 | *d >> 16;
    *c += *d, *b ^= *c, *b = *b << 12 | *b >> 20;
    *a += *b, *d ^= *a, *d = *d << 8 | *d >> 24;
    *c += *d, *b ^= *c, *b = *b << 7 | *b >> 25;
}

/* A block of ChaCha with so many rounds. */
static void chacha(const uint32_t in[16], int rounds, uint32_t out[16])
{
    uint32_t x[16];
    memcpy(x, in, sizeof x);
    for (int r = 0; r < rounds; r++)
        for (int i = 0, turn = r % 2; i < 4; i++)
            quarter_round(&x[i], &x[4 + (i + turn) % 4], &x[8 + (i + 2 * turn) % 4],
                          &x[12 + (i + 3 * turn) % 4]);
    for (int i = 0; i < 16; i++)
        out[i] = x[i] + in[i];
}

/* The test vector of RFC 8439, section 2.3.2: this is ChaCha. */
TEST(chacha_as_published)
{
    const uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504,
                             0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c,
                             0x00000001, 0x09000000, 0x4a000000, 0x00000000};
    const uint32_t right[16] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
    uint32_t out[16];
    chacha(in, 20, out);
    assert_memory_equal(out, right, sizeof right);
}

/* Word j of an input: sixteen blocks lie word by word beside each other. */
static uint32_t plain_word(uint64_t seed, int input, uint32_t j)
{
    const uint32_t in[16] = {0x61707865,
                             0x3320646e,
                             0x79622d32,
                             0x6b206574,
                             (uint32_t)seed,
                             (uint32_t)(seed >> 32),
                             [12] = j / 256 * 16 + j % 16,
                             [14] = (uint32_t)input};
    uint32_t out[16];
    chacha(in, 8, out);
    return out[j % 256 / 16];
}

/* The same values on every processor: as plain arithmetic gives them, one element at a time. */
TEST(values_do_not_depend_on_vectors)
{
    enum { N = 67 };
    const struct shape shape = {.dim = {N, N, N}};
    const uint64_t seed = 20261125;
    for (int i = 0; i < 2; i++) {
        int32_t whole[N * N];
        float narrow[N * N];
        double wide[N * N];
        kernel_gemm_i32.generate(&kernel_gemm_i32, shape, VALUES_FULL, seed, i, whole);
        kernel_gemm_f32.generate(&kernel_gemm_f32, shape, VALUES_UNIFORM, seed, i, narrow);
        kernel_gemm_f64.generate(&kernel_gemm_f64, shape, VALUES_UNIFORM, seed, i, wide);
        for (uint32_t j = 0; j < N * N; j++) {
            const uint32_t word = plain_word(seed, i, j), pair = j % 128 + j / 128 * 256;
            const int64_t both = (int64_t)((uint64_t)plain_word(seed, i, pair) << 32 |
                                           plain_word(seed, i, pair + 128));
            assert_int_equal(whole[j], (int32_t)word);
            assert_true(narrow[j] == (float)((int32_t)word >> 7) * 0x1p-24F);
            assert_true(wide[j] == (double)(both >> 10) * 0x1p-53);
        }
    }
}

TESTS(NULL, NULL)
