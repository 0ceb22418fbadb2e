#include "base/strbuf.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "model/cases.h"

static const struct kernel *k;

static int setup(void **arg)
{
    k = kernel_find("gemm", TYPE_I32);
    return k ? 0 : -1;
}

TEST(found_by_name)
{
    assert_null(kernel_find("gemv", TYPE_I32));
    assert_string_equal(k->function, "gemm_i32");
    struct shape s = {.dim = {3, 5, 7}};
    assert_int_equal(operand_bytes(&k->in[0], s), 3 * 7 * 4);
    assert_int_equal(operand_bytes(&k->in[1], s), 7 * 5 * 4);
    assert_int_equal(operand_bytes(&k->out, s), 3 * 5 * 4);
    assert_true(kernel_operations(k, s) == 2.0 * 3 * 5 * 7);
}

TEST(values)
{
    static const struct {
        enum value_dist dist;
        int32_t low, high;
    } table[] = {
        {VALUES_FULL, INT32_MIN, INT32_MAX},
        {VALUES_SMALL, -8, 7},
        {VALUES_NEGATIVE, -1000, -1},
        {VALUES_SPARSE, INT32_MIN, INT32_MAX},
    };
    enum { N = 100 };
    static int32_t a[N * N];
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        k->generate(k, (struct shape){.dim = {N, N, N}}, table[t].dist, 5, 0, a);
        int zeros = 0;
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (int i = 0; i < N * N; i++) {
            assert_true(a[i] >= table[t].low && a[i] <= table[t].high);
            zeros += a[i] == 0;
            low = a[i] < low ? a[i] : low;
            high = a[i] > high ? a[i] : high;
        }
        if (table[t].dist == VALUES_SPARSE)
            assert_in_range(zeros, N * N * 8 / 10, N * N * 95 / 100);
        if (table[t].dist == VALUES_SMALL || table[t].dist == VALUES_NEGATIVE)
            assert_true(low == table[t].low && high == table[t].high);
    }
}

/* Runs are replayed later, and on other machines: their values stay as they are. */
TEST(golden)
{
    static const struct {
        enum value_dist values;
        int32_t first, second, eighth, last;
    } table[] = {
        {VALUES_FULL, -615683549, -557676782, 1647252799, -693225913},
        {VALUES_SMALL, 5, 5, -2, 5},
        {VALUES_NEGATIVE, -857, -871, -384, -839},
        {VALUES_SPARSE, 0, 0, 0, 0},
    };
    const struct test_case c = {.seed = 5};
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        int32_t x[16];
        k->generate(k, (struct shape){.dim = {4, 4, 4}}, table[t].values, case_run_seed(&c, 3), 1,
                    x);
        assert_int_equal(x[0], table[t].first);
        assert_int_equal(x[1], table[t].second);
        assert_int_equal(x[7], table[t].eighth);
        assert_int_equal(x[15], table[t].last);
    }
}

/* Every input and every seed has other values throughout: a remembered result is wrong. */
TEST(fresh_values)
{
    enum { N = 64 };
    static int32_t a[N * N], b[N * N];
    const struct shape s = {.dim = {N, N, N}};
    static const struct {
        uint64_t seed;
        int input;
    } others[] = {{5, 1}, {6, 0}, {UINT64_C(5) << 32, 0}};
    k->generate(k, s, VALUES_FULL, 5, 0, a);
    k->generate(k, s, VALUES_FULL, 5, 0, b);
    assert_memory_equal(a, b, sizeof a);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        int same = 0;
        k->generate(k, s, VALUES_FULL, others[i].seed, others[i].input, b);
        for (int j = 0; j < N * N; j++)
            same += a[j] == b[j];
        assert_in_range(same, 0, 2);
    }
}

TEST(expected_is_the_product)
{
    static const struct shape shapes[] = {
        {.dim = {1, 1, 1}}, {.dim = {7, 9, 33}}, {.dim = {65, 17, 300}}, {.dim = {31, 129, 257}}};
    for (size_t t = 0; t < sizeof shapes / sizeof shapes[0]; t++) {
        struct shape s = shapes[t];
        size_t mk = (size_t)s.dim[0] * (size_t)s.dim[2], kn = (size_t)s.dim[2] * (size_t)s.dim[1],
               mn = (size_t)s.dim[0] * (size_t)s.dim[1];
        OWNED int32_t *a = calloc(mk, 4), *b = calloc(kn, 4), *x = calloc(mn, 4),
                      *y = calloc(mn, 4);
        k->generate(k, s, VALUES_FULL, t, 0, a);
        k->generate(k, s, VALUES_FULL, t, 1, b);
        k->expect(s, (const void *const[]){a, b}, x);
        for (size_t i = 0; i < (size_t)s.dim[0]; i++)
            for (size_t j = 0; j < (size_t)s.dim[1]; j++)
                for (size_t l = 0; l < (size_t)s.dim[2]; l++)
                    y[i * (size_t)s.dim[1] + j] =
                        (int32_t)((uint32_t)y[i * (size_t)s.dim[1] + j] +
                                  (uint32_t)a[i * (size_t)s.dim[2] + l] *
                                      (uint32_t)b[l * (size_t)s.dim[1] + j]);
        struct mismatch m;
        struct accuracy accuracy;
        const struct comparison c = {.shape = s, .expected = y, .got = x, .launch = {1, 1}};
        assert_int_equal(kernel_compare(k, &c, &m, &accuracy), 0);
        x[mn - 1] ^= 1;
        assert_int_equal(kernel_compare(k, &c, &m, &accuracy), 1);
        assert_true(m.present && m.row == s.dim[0] - 1 && m.col == s.dim[1] - 1);
    }
}

TESTS(setup, NULL)
