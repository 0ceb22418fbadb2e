/* Results of a kernel in a file: what its rules take, and what they refuse. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"

#include "load_kernel_file.h"

/* How many elements are wrong. */
static uint64_t compared(const struct kernel *k, struct shape s, const void *const in[],
                         const void *expected, const void *got, struct mismatch *m)
{
    struct accuracy a;
    const struct comparison c = {.shape = s,
                                 .values = k->values[0],
                                 .in = in,
                                 .expected = expected,
                                 .got = got,
                                 .launch = {1, 1}};
    return kernel_compare(k, &c, m, &a);
}

/* The sets of a partition are compared, not their names. */
TEST(partitions)
{
    enum { N = 6 };
    static const struct {
        int64_t got[N]; /* right: 0 0 2 0 4 2 */
        uint64_t wrong;
        const char *element, *says;
    } table[] = {
        {{0, 0, 2, 0, 4, 2}, 0, "", ""},
        {{7, 7, -1, 7, 0, -1}, 0, "", ""},
        {{1, 1, 1, 1, 1, 1}, 3, "label[2]", "a label is shown as the first element that has it"},
        {{0, 1, 2, 3, 4, 5}, 3, "label[1]", ""},
        {{5, 5, 2, 5, 4, 4}, 1, "label[5]", ""},
        {{INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN, 3, INT64_MAX}, 0, "", ""},
    };
    static const int64_t right[N] = {0, 0, 2, 0, 4, 2};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        if (load("function: void f(int n, int m, const int *from, int64_t *label)\n"
                 "operands: {from: {size: [m]}, label: {size: [n]}}\n"
                 "values: {plain: {from: below n}}\ncompare: {label: partition}\n" TRUSTED,
                 NULL, &f, &e) != 0)
            fail_msg("%s", e.text);
        const void *const in[] = {NULL};
        struct mismatch m;
        const uint64_t wrong =
            compared(&f->kernel, (struct shape){.dim = {N, 1}}, in, right, table[i].got, &m);
        if (wrong != table[i].wrong || strcmp(m.element, table[i].element) != 0 ||
            !strstr(m.pattern, table[i].says))
            fail_msg("%zu: %d wrong, first %s: %s", i, (int)wrong, m.element, m.pattern);
        kernel_file_free(f);
    }
}

/* What a check refuses is its output, or, if it judges several, the result. */
TEST(a_check_names_what_it_judges)
{
    static const char *const table[][2] = {{"v: check", "v"}, {"v: check, k: check", "the result"}};
    const struct opinion no = {.right = false, .why = "k[0] is 7"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        struct mismatch m;
        struct accuracy a;
        OWNED char *text = xasprintf(
            PAIRS "compare: {%s}\ntrusted: {source: dot.c, check: check.c}\n", table[i][0]);
        if (load(text, "f64", &f, &e) != 0)
            fail_msg("%s\n%s", text, e.text);
        const struct shape s = {.dim = {1}};
        OWNED void *result = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        const struct comparison c = {.shape = s,
                                     .values = f->kernel.values[0],
                                     .expected = result,
                                     .got = result,
                                     .checked = &no,
                                     .launch = {1, 1}};
        assert_true(kernel_compare(&f->kernel, &c, &m, &a) > 0);
        assert_string_equal(m.element, table[i][1]);
        assert_string_equal(m.pattern, "k[0] is 7");
        kernel_file_free(f);
    }
    (void)arg;
}

/* Results of two outputs, the first in place: what the rules take and what they refuse. */
TEST(several_outputs)
{
    enum { N = 5 };
    static const struct {
        const char *compare;
        double k[N], v[N]; /* k: 1 1 2 3 3, v: 10 20 30 40 50 */
        uint64_t wrong;
        const char *element; /* the first wrong one */
    } table[] = {
        {"", {1, 1, 2, 3, 3}, {10, 20, 30, 40, 50}, 0, ""},
        {"", {1, 1, 2, 3, 3}, {20, 10, 30, 40, 51}, 3, "v[0]"},
        {"", {1, 9, 2, 3, 3}, {10, 20, 30, 40, 51}, 2, "k[1]"},
        {"compare: {v: {groups: k}}", {1, 1, 2, 3, 3}, {20, 10, 30, 50, 40}, 0, ""},
        {"compare: {v: {groups: k}}", {1, 1, 2, 3, 3}, {20, 30, 10, 50, 40}, 3, "v[0]"},
        {"compare: {v: set}", {1, 1, 2, 3, 3}, {50, 40, 30, 20, 10}, 0, ""},
        {"compare: {v: set}", {1, 1, 2, 3, 3}, {50, 40, 30, 20, 20}, 1, "v[0]"},
        {"compare: {v: {within: {absolute: 1}}}", {1, 1, 2, 3, 3}, {9, 21, 30, 40, 48}, 1, "v[4]"},
        {"compare: {v: {within: {relative: 0.1}}}",
         {1, 1, 2, 3, 3},
         {8, 18, 33, 44, 55},
         1,
         "v[0]"},
        {"compare: {v: {within: {absolute: 1}}}",
         {1, 1, 2, 3, 3},
         {NAN, 20, 30, 40, 50},
         1,
         "v[0]"},
        {"compare: {v: {where: i > 0 and i < n - 1}}", {1, 1, 2, 3, 3}, {0, 20, 30, 40, 0}, 0, ""},
        {"compare: {v: {where: i > 0 and i < n - 1}}",
         {1, 1, 2, 3, 3},
         {0, 20, 0, 40, 0},
         1,
         "v[2]"},
        {"compare: {v: {where: mask}}", {1, 1, 2, 3, 3}, {10, 0, 30, 0, 50}, 0, ""},
        {"compare: {v: {where: mask}}", {1, 1, 2, 3, 3}, {10, 0, 0, 0, 50}, 1, "v[2]"},
        {"compare: {v: {length: few}}", {1, 1, 2, 3, 3}, {10, 20, 30, 0, NAN}, 0, ""},
        {"compare: {v: {length: few, set: true}}", {1, 1, 2, 3, 3}, {30, 10, 20, 0, 0}, 0, ""},
        {"compare: {v: {length: few}}", {1, 1, 2, 3, 3}, {10, 20, 0, 0, 0}, 1, "v[2]"},
    };
    static const double k[N] = {1, 1, 2, 3, 3}, v[N] = {10, 20, 30, 40, 50}, before[N] = {0};
    static const int32_t mask[N] = {1, 0, 1, 0, 1}, few = 3;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text =
            xasprintf("types: [f64]\nfunction: void f(int n, T *k, T *v, int *mask, int *few)\n"
                      "operands: {k: {size: [n], inout: true}, v: {size: [n]}, "
                      "mask: {size: [n]}, few: {size: [1]}}\nvalues: {plain: {k: whole}}\n"
                      "%s\n" TRUSTED,
                      table[i].compare);
        struct kernel_file *f = loaded(text, "f64");
        const struct kernel *kernel = &f->kernel;
        const struct shape s = {.dim = {N}};
        const size_t bytes = kernel_output_bytes(kernel, s);
        OWNED unsigned char *right = xcalloc(bytes, 1), *got = xcalloc(bytes, 1);
        const void *const outputs[2][4] = {{k, v, mask, &few},
                                           {table[i].k, table[i].v, mask, &few}};
        assert_int_equal(kernel_outputs(kernel), 4);
        assert_int_equal(kernel->inputs, 1); /* what k holds before */
        assert_true(kernel_in_place(kernel));
        for (int o = 0; o < 4; o++) {
            const size_t at = kernel_output_at(kernel, s, o);
            assert_int_equal(at % OUTPUT_ALIGN, 0);
            memcpy(right + at, outputs[0][o], operand_bytes(kernel_output(kernel, o), s));
            memcpy(got + at, outputs[1][o], operand_bytes(kernel_output(kernel, o), s));
        }
        const void *const in[] = {before};
        struct mismatch m;
        const uint64_t wrong = compared(kernel, s, in, right, got, &m);
        if (wrong != table[i].wrong || strcmp(m.element, table[i].element) != 0)
            fail_msg("%zu %s: %d wrong, first %s", i, table[i].compare, (int)wrong, m.element);
        kernel_file_free(f);
    }
}

/* Rows are what is in any order; their elements stay together. */
TEST(rows_in_any_order)
{
    enum { N = 4 };
    static const struct {
        const char *rule;
        double got[N][2]; /* right: (1, 5) (2, 4) (2, 3) (3, 0), with the keys 1 2 2 3 */
        uint64_t wrong;
    } table[] = {
        {"exact", {{1, 5}, {2, 4}, {2, 3}, {3, 0}}, 0},
        {"exact", {{1, 5}, {2, 3}, {2, 4}, {3, 0}}, 2},
        {"set", {{3, 0}, {2, 3}, {1, 5}, {2, 4}}, 0},
        {"set", {{1, 5}, {2, 4}, {3, 2}, {3, 0}}, 4},
        {"{groups: key}", {{1, 5}, {2, 3}, {2, 4}, {3, 0}}, 0},
        {"{groups: key}", {{1, 5}, {2, 4}, {3, 2}, {3, 0}}, 3},
        {"{groups: key}", {{2, 4}, {1, 5}, {2, 3}, {3, 0}}, 5},
    };
    static const double p[N][2] = {{1, 5}, {2, 4}, {2, 3}, {3, 0}};
    static const int32_t key[N] = {1, 2, 2, 3};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text =
            xasprintf("function: void f(int n, const int *x, double *p, int *key)\n"
                      "operands: {x: {size: [n]}, p: {size: [n, 2]}, key: {size: [n]}}\n"
                      "values: {plain: {x: full}}\ncompare: {p: %s}\n" TRUSTED,
                      table[i].rule);
        struct kernel_file *f = loaded(text, NULL);
        const struct shape s = {.dim = {N}};
        OWNED unsigned char *right = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        OWNED unsigned char *got = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        const size_t at = kernel_output_at(&f->kernel, s, 1);
        memcpy(right, p, sizeof p);
        memcpy(right + at, key, sizeof key);
        memcpy(got, table[i].got, sizeof p);
        memcpy(got + at, key, sizeof key);
        struct mismatch m;
        const uint64_t wrong = compared(&f->kernel, s, NULL, right, got, &m);
        if (wrong != table[i].wrong)
            fail_msg("%zu %s: %d wrong, first %s", i, table[i].rule, (int)wrong, m.element);
        kernel_file_free(f);
    }
}

/* Units of rounded results: what the trusted source differs by, at least the rounding of a number.
 */
TEST(rounded_results)
{
    struct kernel_file *f = dot("f64");
    static const struct {
        double got, spread;
        bool right;
    } table[] = {
        {1, 0, true},
        {1 + 0x1p-50, 0, true},
        {1 + 0x1p-40, 0, false},
        {1 + 0x1p-40, 0x1p-42, true},
        {(double)NAN, 1, false},
        {(double)INFINITY, 1, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double expected = 1;
        struct mismatch m;
        struct accuracy a;
        const struct comparison c = {.shape = {.dim = {9}},
                                     .values = f->kernel.values[1],
                                     .expected = &expected,
                                     .got = &table[i].got,
                                     .spread = &table[i].spread,
                                     .launch = {1, 1}};
        if ((kernel_compare(&f->kernel, &c, &m, &a) == 0) != table[i].right)
            fail_msg("row %zu", i);
        if (!table[i].right)
            assert_string_equal(m.element, "return");
    }
    kernel_file_free(f);
}

/* How far may a result be from infinity? */
TEST(infinite_results)
{
    static const char *const within[] = {"{relative: 0.1}", "{absolute: 5, relative: 1e-9}"};
    static const struct {
        double expected, got;
        bool right;
    } table[] = {
        {(double)INFINITY, (double)INFINITY, true},
        {(double)INFINITY, 1, false},
        {(double)INFINITY, -(double)INFINITY, false},
        {-(double)INFINITY, 0, false},
        {1, (double)INFINITY, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int k = 0; k < 2; k++) {
            char *text = xasprintf(DOT "values: {whole: {all: whole}}\n"
                                       "compare: {return: {within: %s}}\n" TRUSTED,
                                   within[k]);
            struct kernel_file *f = loaded(text, "f64");
            const struct shape s = {.dim = {9}};
            struct mismatch m;
            if ((compared(&f->kernel, s, NULL, &table[i].expected, &table[i].got, &m) == 0) !=
                table[i].right)
                fail_msg("row %zu, %s", i, within[k]);
            free(text);
            kernel_file_free(f);
        }
}

TESTS(test_dir_make, test_dir_remove)
