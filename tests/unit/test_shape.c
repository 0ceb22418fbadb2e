#include "base/strbuf.h"
#include "unit.h"

#include <string.h>

#include "kernel/kernel.h"

TEST(refused)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "is not a size"},
        {" ", "is not a size"},
        {"0", "is not a size"},
        {"-1", "is not a size"},
        {"+1", "is not a size"},
        {"1.5", "is not a size"},
        {"x", "is not a size"},
        {"2x", "is not a size"},
        {"x2", "is not a size"},
        {"2x3", "write 1024, or 300x20x4000 for M x N x K"},
        {"2x3x", "is not a size"},
        {"2xx3", "is not a size"},
        {"2x3x4x5", "is not a size"},
        {"2x3x4x", "is not a size"},
        {"2x3x4 ", "is not a size"},
        {"2 x 3 x 4", "is not a size"},
        {"2X3X4", "is not a size"},
        {"2x0x4", "is not a size"},
        {"0x10", "is not a size"},
        {"2147483648", "is not a size"},
        {"99999999999999999999", "is not a size"},
        /* Every matrix is addressed by int: A is M x K, B is K x N, C is M x N. */
        {"46341", "A would have 46341 x 46341 elements, more than 2^31 - 1"},
        {"65536x1x65536", "A would have 65536 x 65536"},
        {"1x65536x65536", "B would have 65536 x 65536"},
        {"65536x65536x1", "C would have 65536 x 65536"},
        {"2147483647x2x1", "C would have 2147483647 x 2"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        if (kernel_shape(&kernel_gemm_i32, table[i].text, NULL, &s, &e) == 0)
            fail_msg("'%s' was accepted", table[i].text);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s': said '%s', not '%s'", table[i].text, e.text, table[i].says);
    }
}

TEST(taken)
{
    static const struct {
        const char *text;
        struct shape s;
        const char *back;
    } table[] = {
        {"1", {.dim = {1, 1, 1}}, "1"},
        {"1024", {.dim = {1024, 1024, 1024}}, "1024"},
        {"46340", {.dim = {46340, 46340, 46340}}, "46340"},
        {"7x7x7", {.dim = {7, 7, 7}}, "7"},
        {"007", {.dim = {7, 7, 7}}, "7"},
        {"3x20x400", {.dim = {3, 20, 400}}, "3x20x400"},
        {"1x1x2147483647", {.dim = {1, 1, 2147483647}}, "1x1x2147483647"},
        {"2147483647x1x1", {.dim = {2147483647, 1, 1}}, "2147483647x1x1"},
        {"65535x32768x1", {.dim = {65535, 32768, 1}}, "65535x32768x1"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        char text[SHAPE_TEXT];
        if (kernel_shape(&kernel_gemm_i32, table[i].text, NULL, &s, &e) != 0)
            fail_msg("'%s': %s", table[i].text, e.text);
        assert_true(shape_equal(s, table[i].s));
        shape_format(s, text);
        assert_string_equal(text, table[i].back);
    }
}

/* A kernel with two dimensions. */
static const struct kernel grid = {.name = "grid",
                                   .type = TYPE_F64,
                                   .dims = 2,
                                   .dim_name = {"M", "N"},
                                   .inputs = 1,
                                   .in = {{"in", TYPE_F64, 0, 1}},
                                   .out = {"out", TYPE_F64, 0, 1}};

TEST(two)
{
    struct shape s;
    struct err e = ERR_INIT;
    char text[SHAPE_TEXT];
    assert_int_equal(kernel_shape(&grid, "7", NULL, &s, &e), 0);
    assert_true(shape_equal(s, (struct shape){.dim = {7, 7}}));
    assert_int_equal(kernel_shape(&grid, "7x9", NULL, &s, &e), 0);
    assert_true(shape_equal(s, (struct shape){.dim = {7, 9}}));
    shape_format(s, text);
    assert_string_equal(text, "7x9");
    OWNED char *long_text = kernel_shape_text(&grid, s);
    assert_string_equal(long_text, "7 x 9 (M x N)");
    assert_false(shape_allowed((struct shape_rule){.square = true}, s));
    assert_int_equal(kernel_shape(&grid, "7x9x3", NULL, &s, &e), -1);
    assert_non_null(strstr(e.text, "write 1024, or 300x20 for M x N"));
    assert_int_equal(kernel_shape(&grid, "65536x65536", NULL, &s, &e), -1);
    assert_non_null(strstr(e.text, "in would have 65536 x 65536"));
}

TEST(equal)
{
    const struct shape s = {.dim = {2, 3, 4}};
    assert_true(shape_equal(s, (struct shape){.dim = {2, 3, 4}}));
    assert_false(shape_equal(s, (struct shape){.dim = {9, 3, 4}}));
    assert_false(shape_equal(s, (struct shape){.dim = {2, 9, 4}}));
    assert_false(shape_equal(s, (struct shape){.dim = {2, 3, 9}}));
}

TEST(rules)
{
    static const struct {
        struct shape_rule r;
        struct shape s;
        bool allowed;
        struct shape up;
        const char *text;
    } table[] = {
        ROW({true, 0, {0}}, {.dim = {4, 4, 5}}, false, {.dim = {4, 4, 5}}, "squares only"),
        ROW({true, 0, {0}}, {.dim = {4, 5, 4}}, false, {.dim = {4, 5, 4}}, "squares only"),
        ROW({true, 1, {0}}, {.dim = {5, 5, 5}}, true, {.dim = {5, 5, 5}}, "squares only"),
        ROW({false, 16, {0}}, {.dim = {16, 32, 8}}, false, {.dim = {16, 32, 16}},
            "multiples of 16 only"),
        ROW({false, 16, {0}}, {.dim = {15, 32, 16}}, false, {.dim = {16, 32, 16}},
            "multiples of 16 only"),
        ROW({false, 16, {0}}, {.dim = {16, 33, 16}}, false, {.dim = {16, 48, 16}},
            "multiples of 16 only"),
        ROW({false, 16, {0}}, {.dim = {16, 32, 48}}, true, {.dim = {16, 32, 48}},
            "multiples of 16 only"),
        ROW({false, 256, {0}}, {.dim = {46340, 1, 46080}}, false, {.dim = {46336, 256, 46080}},
            "multiples of 256 only"),
        ROW({true, 8, {0}}, {.dim = {8, 8, 8}}, true, {.dim = {8, 8, 8}},
            "squares of multiples of 8 only"),
        ROW({true, 8, {0}}, {.dim = {8, 8, 16}}, false, {.dim = {8, 8, 16}},
            "squares of multiples of 8 only"),
        ROW({false, 0, {0}}, {.dim = {1, 2, 3}}, true, {.dim = {1, 2, 3}}, ""),
        ROW({false, 0, {0, 0, 1}}, {.dim = {4, 9, 7}}, false, {.dim = {4, 9, 1}},
            "sizes with dimension 3 = 1"),
        ROW({false, 0, {0, 0, 1}}, {.dim = {4, 9, 1}}, true, {.dim = {4, 9, 1}},
            "sizes with dimension 3 = 1"),
        ROW({true, 8, {3, 0, 0}}, {.dim = {3, 16, 8}}, false, {.dim = {3, 16, 8}},
            "sizes with dimension 1 = 3, squares of multiples of 8 only"),
        ROW({true, 0, {2, 0, 5}}, {.dim = {2, 4, 5}}, true, {.dim = {2, 4, 5}},
            "sizes with dimension 1 = 2, dimension 3 = 5, squares only"),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[SHAPE_TEXT];
        shape_rule_text(table[i].r, text);
        assert_string_equal(text, table[i].text);
        assert_int_equal(shape_allowed(table[i].r, table[i].s), table[i].allowed);
        assert_true(shape_equal(shape_fit(table[i].r, table[i].s), table[i].up));
        assert_int_equal(shape_rule_equal(table[i].r, (struct shape_rule){.multiple_of = 1}),
                         !table[i].text[0]);
    }
}

TESTS(NULL, NULL)
