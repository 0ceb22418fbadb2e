/* Sizes and operations as formulas of the dimensions. */
#include "unit.h"

#include <string.h>

#include "kernel/expression.h"

TEST(expressions)
{
    static const char *const names[] = {"n", "m"};
    static const int dim[] = {7, 3};
    static const struct {
        const char *text;
        int64_t value;
        bool known;
    } table[] = {
        {"n", 7, true},
        {"n + m * 2", 13, true},
        {"(n + m) * 2", 20, true},
        {"n - m - 1", 3, true},
        {"n / m * m + n % m", 7, true},
        {"-n + 8", 1, true},
        {"min(n, m) + max(n, 20)", 23, true},
        {"n > m", 1, true},
        {"n <= m or m != 3", 0, true},
        {"m >= 1 and m < n - 1 and n == 7", 1, true},
        {"(n < m) * 5 + 2", 2, true},
        {"n / (m - 3)", 0, false},
        {"exp2(m) + exp2(0)", 9, true},
        {"exp2(n * n + 14)", 0, false},
        {"exp2(-m)", 0, false},
        {"9000000000000000 * 9000000000000000", 0, false},
    };
    struct expression x;
    struct err e = ERR_INIT;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t v = 0;
        if (expression_read(table[i].text, names, 2, true, &x, &e) != 0)
            fail_msg("%s", e.text);
        assert_int_equal(expression_integer(&x, dim, &v), table[i].known);
        if (table[i].known && v != table[i].value)
            fail_msg("%s = %d", table[i].text, (int)v);
        if (table[i].known && !strchr(table[i].text, '/'))
            assert_true(expression_number(&x, dim) == (double)v);
    }
    assert_int_equal(expression_read("0.5 * n * log2(n + 1)", names, 2, false, &x, &e), 0);
    assert_true(expression_number(&x, dim) == 10.5);
    char deep[200];
    memset(deep, '(', sizeof deep);
    memcpy(deep + 100, "n", 2);
    assert_int_equal(expression_read(deep, names, 2, true, &x, &e), -1);
    assert_non_null(strstr(e.text, "nested too deeply"));
    assert_int_equal(expression_read("n > 0 && k > 0", names, 2, true, &x, &e), -1);
    assert_string_equal(e.text, "'n > 0 && k > 0': before '&& k > 0', one of these is expected: "
                                "+ - * / % < <= > >= == != and or");
}

TESTS(NULL, NULL)
