/* All numbers of a small problem, as replay shows them. */
#include "base/strbuf.h"
#include "unit.h"

#include "measure/small_problem.h"

static const int32_t a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, want[] = {19, 22, 43, 50},
                     got[] = {19, 22, 43, -1};

TEST(small_problems_are_told_by_rows)
{
    static const struct {
        const char *name;
        struct shape shape;
        const char *text; /* NULL: too many numbers */
    } table[] = {
        ROW("more elements than a person follows", {.dim = {6, 6, 6}}, NULL),
        ROW("a row that fills a screen", {.dim = {1, 17, 1}}, NULL),
        ROW("nothing", {.dim = {0, 2, 2}},
            "A = []\nB = [[5, 6],\n     [7, 8]]\n"
            "expected C = []\ngot C = []\n"),
        ROW("numbers", {.dim = {1, 1, 1}}, "A = 1\nB = 5\nexpected C = 19\ngot C = 19\n"),
        ROW("vectors", {.dim = {2, 1, 1}},
            "A = [1, 2]\nB = 5\nexpected C = [19, 22]\n"
            "got C = [19, 22]\n"),
        ROW("matrices", {.dim = {2, 2, 2}},
            "A = [[1, 2],\n     [3, 4]]\nB = [[5, 6],\n     [7, 8]]\n"
            "expected C = [[19, 22],\n              [43, 50]]\n"
            "got C = [[19, 22],\n         [43, -1]]\n"),
    };
    const void *const in[] = {a, b};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text =
            small_problem_text(kernel_find("gemm", TYPE_I32), table[i].shape, in, want, got);
        print_message("%s\n", table[i].name);
        if (table[i].text) {
            assert_non_null(text);
            assert_string_equal(text, table[i].text);
        } else {
            assert_null(text);
        }
    }
}

TESTS(NULL, NULL)
