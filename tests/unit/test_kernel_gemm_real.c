/* Products of floats and doubles: honest kernels pass, imprecise and wrong ones do not. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"

/* What a kernel does to A and B before it multiplies, and how it sums. */
enum inputs { AS_THEY_ARE, TO_FLOAT, TO_TF32, TO_BF16 };
enum sum { IN_ORDER, BACKWARDS, PAIRWISE, IN_FLOAT, WITHOUT_LAST, WITHOUT_MIDDLE };

static float cut(float x, int bits) /* to so many bits, to the nearest */
{
    int exponent;
    const float f = frexpf(x, &exponent);
    return ldexpf(rintf(ldexpf(f, bits)), exponent - bits);
}

static double input(double x, enum inputs how)
{
    return how == TO_FLOAT  ? (double)(float)x
           : how == TO_TF32 ? (double)cut((float)x, 11)
           : how == TO_BF16 ? (double)cut((float)x, 8)
                            : x;
}

struct problem {
    const struct kernel *k;
    struct shape s;
    void *in[2], *out, *expected;
    double *a, *b; /* the inputs */
};

static double element(const struct problem *p, const void *m, size_t i)
{
    return p->k->type == TYPE_F32 ? (double)((const float *)m)[i] : ((const double *)m)[i];
}

static void set(const struct problem *p, void *m, size_t i, double x)
{
    if (p->k->type == TYPE_F32)
        ((float *)m)[i] = (float)x;
    else
        ((double *)m)[i] = x;
}

static double rounded(const struct problem *p, double x)
{
    return p->k->type == TYPE_F32 ? (double)(float)x : x;
}

static double pairwise(const struct problem *p, const double *x, int n)
{
    return n == 1 ? x[0] : rounded(p, pairwise(p, x, n / 2) + pairwise(p, x + n / 2, n - n / 2));
}

static double dot(const struct problem *p, size_t i, size_t j, enum inputs how, enum sum order)
{
    const int k = p->s.dim[2];
    double *x = calloc((size_t)k, sizeof *x), sum = 0;
    for (size_t l = 0; l < (size_t)k; l++)
        x[l] = rounded(p, input(p->a[i * (size_t)k + l], how) *
                              input(p->b[l * (size_t)p->s.dim[1] + j], how));
    for (int l = 0; l < k; l++) {
        const int at = order == BACKWARDS ? k - 1 - l : l;
        if ((order == WITHOUT_LAST && at == k - 1) || (order == WITHOUT_MIDDLE && at == k / 2))
            continue;
        sum = rounded(p, sum + x[at]);
        sum = order == IN_FLOAT ? (double)(float)sum : sum;
    }
    if (order == PAIRWISE)
        sum = pairwise(p, x, k);
    free(x);
    return sum;
}

static void make(struct problem *p, enum element_type type, struct shape s, enum value_dist v)
{
    *p = (struct problem){.k = kernel_find("gemm", type), .s = s};
    for (int i = 0; i < 2; i++) {
        const size_t bytes = operand_bytes(&p->k->in[i], s), n = bytes / type_bytes(type);
        double *copy = calloc(n, sizeof *copy);
        p->in[i] = calloc(1, bytes);
        p->k->generate(p->k, s, v, 7, i, p->in[i]);
        for (size_t j = 0; j < n; j++)
            copy[j] = element(p, p->in[i], j);
        *(i ? &p->b : &p->a) = copy;
    }
    p->out = calloc(1, operand_bytes(&p->k->out, s));
    p->expected = calloc(1, operand_bytes(&p->k->out, s));
    p->k->expect(s, (const void *const *)p->in, p->expected);
}

static void compute(struct problem *p, enum inputs how, enum sum order)
{
    for (size_t i = 0; i < (size_t)p->s.dim[0]; i++)
        for (size_t j = 0; j < (size_t)p->s.dim[1]; j++)
            set(p, p->out, i * (size_t)p->s.dim[1] + j, dot(p, i, j, how, order));
}

static void end(struct problem *p)
{
    free(p->in[0]);
    free(p->in[1]);
    free(p->a);
    free(p->b);
    free(p->out);
    free(p->expected);
}

static uint64_t compare(const struct problem *p, enum value_dist v, uint64_t poison,
                        struct mismatch *m, struct accuracy *a)
{
    const struct comparison c = {.shape = p->s,
                                 .values = v,
                                 .in = (const void *const *)p->in,
                                 .expected = p->expected,
                                 .got = p->out,
                                 .poison = poison,
                                 .launch = {1, 1}};
    return kernel_compare(p->k, &c, m, a);
}

static const enum element_type types[] = {TYPE_F32, TYPE_F64};
static const struct shape shapes[] = {
    {.dim = {5, 7, 1}}, {.dim = {9, 11, 33}}, {.dim = {17, 19, 300}}, {.dim = {2, 3, 10000}}};

TEST(honest_kernels_pass)
{
    static const enum sum sums[] = {IN_ORDER, BACKWARDS, PAIRWISE};
    for (size_t t = 0; t < 2; t++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int v = VALUES_BALANCED; v <= VALUES_UNIFORM; v++) {
                struct problem p;
                make(&p, types[t], shapes[s], (enum value_dist)v);
                for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
                    struct mismatch m;
                    struct accuracy a;
                    compute(&p, AS_THEY_ARE, sums[i]);
                    if (compare(&p, (enum value_dist)v, 0, &m, &a))
                        fail_msg("%s %s %zu order %zu: [%d][%d] %s, not %s; %s",
                                 type_name(types[t]), value_dist_name((enum value_dist)v), s, i,
                                 m.row, m.col, m.got, m.expected, m.pattern);
                    assert_int_equal(isnan(a.max), v != VALUES_UNIFORM);
                    assert_false(a.rms > 1.5);
                }
                end(&p);
            }
}

TEST(wrong_kernels_do_not)
{
    static const struct {
        const char *what;
        enum element_type type;
        enum value_dist values;
        enum inputs inputs;
        enum sum sum;
        const char *says; /* part of the pattern, or "" */
    } table[] = {
        {"a lost term", TYPE_F32, VALUES_BALANCED, AS_THEY_ARE, WITHOUT_LAST, "every element"},
        {"a lost term", TYPE_F32, VALUES_BALANCED, AS_THEY_ARE, WITHOUT_MIDDLE, "every element"},
        {"a lost term", TYPE_F64, VALUES_BALANCED, AS_THEY_ARE, WITHOUT_LAST, "every element"},
        {"a lost term", TYPE_F64, VALUES_CANCELLING, AS_THEY_ARE, WITHOUT_MIDDLE, ""},
        {"a lost term", TYPE_F32, VALUES_UNIFORM, AS_THEY_ARE, WITHOUT_LAST, ""},
        {"TF32", TYPE_F32, VALUES_WIDE_LEFT, TO_TF32, IN_ORDER, ""},
        {"TF32", TYPE_F32, VALUES_WIDE_RIGHT, TO_TF32, IN_ORDER, ""},
        {"TF32", TYPE_F32, VALUES_UNIFORM, TO_TF32, IN_ORDER, "TF32 or 16-bit product inside?"},
        {"bf16", TYPE_F32, VALUES_WIDE_LEFT, TO_BF16, IN_ORDER, ""},
        {"bf16", TYPE_F32, VALUES_UNIFORM, TO_BF16, IN_ORDER, "16-bit"},
        {"floats", TYPE_F64, VALUES_WIDE_LEFT, TO_FLOAT, IN_ORDER, ""},
        {"floats", TYPE_F64, VALUES_UNIFORM, TO_FLOAT, IN_ORDER,
         "of a double to 53: is there a "
         "float inside?"},
        {"a sum of floats", TYPE_F64, VALUES_UNIFORM, AS_THEY_ARE, IN_FLOAT, "a float inside?"},
        {"a sum of floats", TYPE_F64, VALUES_BALANCED, AS_THEY_ARE, IN_FLOAT, ""},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct problem p;
        struct mismatch m;
        struct accuracy a;
        make(&p, table[t].type, (struct shape){.dim = {17, 19, 300}}, table[t].values);
        compute(&p, table[t].inputs, table[t].sum);
        if (!compare(&p, table[t].values, 0, &m, &a))
            fail_msg("%s passes with %s values in %s: %g, %g", table[t].what,
                     value_dist_name(table[t].values), type_name(table[t].type), a.max, a.rms);
        if (!strstr(m.pattern, table[t].says))
            fail_msg("%s: %s", table[t].what, m.pattern);
        end(&p);
    }
}

/* One wrong element, and what it is said to be. */
TEST(one_wrong_element)
{
    static const struct {
        double value;
        const char *got;
    } table[] = {{0, "0"}, {NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}, {1e30, "1e+30"}};
    for (size_t t = 0; t < 2; t++)
        for (int v = VALUES_BALANCED; v <= VALUES_UNIFORM; v++)
            for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
                struct problem p;
                struct mismatch m;
                struct accuracy a;
                make(&p, types[t], (struct shape){.dim = {17, 19, 33}}, (enum value_dist)v);
                compute(&p, AS_THEY_ARE, IN_ORDER);
                set(&p, p.expected, 5 * 19 + 3, 2.5);
                set(&p, p.out, 5 * 19 + 3, table[i].value);
                assert_int_equal(compare(&p, (enum value_dist)v, 0, &m, &a), 1);
                assert_true(m.row == 5 && m.col == 3);
                assert_string_equal(m.expected, "2.5");
                if (i < 4)
                    assert_string_equal(m.got, table[i].got);
                end(&p);
            }
}

TEST(what_c_held_before)
{
    for (size_t t = 0; t < 2; t++)
        for (uint64_t random = 1; random < 9; random++) {
            struct problem p;
            struct mismatch m;
            struct accuracy a;
            make(&p, types[t], (struct shape){.dim = {8, 8, 16}}, VALUES_UNIFORM);
            const uint64_t poison =
                kernel_poison_pattern(p.k, random * UINT64_C(0x9e3779b97f4a7c15));
            kernel_poison(p.out, operand_bytes(&p.k->out, p.s), poison);
            assert_int_equal(compare(&p, VALUES_UNIFORM, poison, &m, &a), 64);
            assert_string_equal(m.pattern, "every element; never written");
            for (size_t i = 0; i < 64; i++)
                set(&p, p.out, i, element(&p, p.out, i) + element(&p, p.expected, i));
            assert_int_equal(compare(&p, VALUES_UNIFORM, poison, &m, &a), 64);
            assert_string_equal(m.pattern, "every element; the result was added to what C held "
                                           "before: C must be assigned");
            /* What the kernel makes itself is not what was there. */
            volatile double zero = 0;
            for (size_t i = 0; i < 64; i++)
                set(&p, p.out, i, zero / zero);
            assert_int_equal(compare(&p, VALUES_UNIFORM, poison, &m, &a), 64);
            assert_string_equal(m.pattern, "every element; all of them are NaN: 0 / 0 and the root "
                                           "of a negative number are");
            for (size_t i = 0; i < 64; i++)
                set(&p, p.out, i, -1 / zero);
            assert_int_equal(compare(&p, VALUES_UNIFORM, poison, &m, &a), 64);
            assert_string_equal(m.pattern, "every element");
            end(&p);
        }
}

/* As C[i * N + j] += A[i * K + k] * B[k * N + j] does: every term is rounded beside what C held. */
TEST(what_terms_were_added_to)
{
    static const enum value_dist values[] = {VALUES_BALANCED, VALUES_WIDE_LEFT, VALUES_GRADED,
                                             VALUES_UNIFORM};
    const struct shape s = {.dim = {24, 24, 65}};
    for (size_t t = 0; t < 2; t++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            for (uint64_t random = 1; random < 9; random++) {
                struct problem p;
                struct mismatch m;
                struct accuracy a;
                make(&p, types[t], s, values[v]);
                const uint64_t poison =
                    kernel_poison_pattern(p.k, random * UINT64_C(0x9e3779b97f4a7c15));
                kernel_poison(p.out, operand_bytes(&p.k->out, p.s), poison);
                for (size_t i = 0; i < 576; i++)
                    for (size_t k = 0; k < 65; k++)
                        set(&p, p.out, i,
                            element(&p, p.out, i) +
                                rounded(&p, p.a[i / 24 * 65 + k] * p.b[k * 24 + i % 24]));
                assert_int_equal(compare(&p, values[v], poison, &m, &a), 576);
                assert_non_null(strstr(m.pattern, "the result was added to what C held before"));
                end(&p);
            }
}

TEST(zeros_have_no_sign)
{
    struct problem p;
    struct mismatch m;
    struct accuracy a;
    make(&p, TYPE_F32, (struct shape){.dim = {1, 1, 1}}, VALUES_BALANCED);
    set(&p, p.expected, 0, 0.0);
    set(&p, p.out, 0, -0.0);
    assert_int_equal(compare(&p, VALUES_BALANCED, 0, &m, &a), 0);
    end(&p);
}

/* Matrices of zeros have no scale: their product must be zero, and may be. */
TEST(zeros)
{
    struct problem p;
    struct mismatch m;
    struct accuracy a;
    make(&p, TYPE_F64, (struct shape){.dim = {3, 3, 4}}, VALUES_UNIFORM);
    memset(p.in[0], 0, 12 * sizeof(double));
    p.k->expect(p.s, (const void *const *)p.in, p.expected);
    memcpy(p.out, p.expected, operand_bytes(&p.k->out, p.s));
    assert_int_equal(compare(&p, VALUES_UNIFORM, 0, &m, &a), 0);
    set(&p, p.out, 1, 1e-300);
    assert_int_equal(compare(&p, VALUES_UNIFORM, 0, &m, &a), 1);
    end(&p);
}

/* Strassen's algorithm adds rows of A to each other, and columns of B. So where a row is much
 * smaller than the others, the error of its products is as large as theirs. */
TEST(small_among_large)
{
    static const struct {
        double error; /* in roundoffs */
        unsigned wrong;
    } table[] = {{3, 0}, {100, 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct problem p;
        struct mismatch m;
        struct accuracy a;
        make(&p, TYPE_F64, (struct shape){.dim = {21, 12, 1}}, VALUES_UNIFORM);
        set(&p, p.in[0], 2, 1e-9);
        set(&p, p.in[1], 3, 1e-9);
        p.k->expect(p.s, (const void *const *)p.in, p.expected);
        memcpy(p.out, p.expected, operand_bytes(&p.k->out, p.s));
        set(&p, p.out, 2 * 12 + 3, table[i].error * 0x1p-53);
        assert_int_equal(compare(&p, VALUES_UNIFORM, 0, &m, &a) > 0, table[i].wrong);
        end(&p);
    }
}

TEST(certified)
{
    for (size_t t = 0; t < 2; t++)
        for (int v = VALUES_BALANCED; v <= VALUES_UNIFORM; v += VALUES_UNIFORM - VALUES_BALANCED) {
            struct problem p;
            make(&p, types[t], (struct shape){.dim = {20, 30, 300}}, (enum value_dist)v);
            const struct comparison c = {.shape = p.s,
                                         .values = (enum value_dist)v,
                                         .in = (const void *const *)p.in,
                                         .got = p.out};
            compute(&p, AS_THEY_ARE, IN_ORDER);
            assert_true(p.k->certify(&c, 3));
            compute(&p, TO_BF16, IN_ORDER);
            /* whole numbers of few bits are the same in 16 bits */
            assert_false(v == VALUES_UNIFORM && p.k->certify(&c, 3));
            compute(&p, AS_THEY_ARE, WITHOUT_LAST);
            assert_false(p.k->certify(&c, 3));
            compute(&p, AS_THEY_ARE, IN_ORDER);
            set(&p, p.out, 0, NAN);
            assert_false(v == VALUES_BALANCED && p.k->certify(&c, 3));
            compute(&p, AS_THEY_ARE, IN_ORDER);
            set(&p, p.out, 599, element(&p, p.out, 599) + 1);
            assert_false(v == VALUES_BALANCED && p.k->certify(&c, 3));
            end(&p);
        }
}

TESTS(NULL, NULL)
