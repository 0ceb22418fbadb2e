/* What is said of a header that is not there. */
#include "unit.h"

#include <stdlib.h>

#include "build/missing_header.h"

TEST(hints)
{
    static const struct {
        const char *message, *hint;
    } table[] = {
        {"naive.c:1:10: fatal error: gem.h: No such file or directory", "did you mean gemm.h?"},
        {"naive.c:1:10: fatal error: 'gemmm.h' file not found", "did you mean gemm.h?"},
        {"cuda.cu(1): catastrophic error: cannot open source file \"matrix.h\"",
         "the header of this exercise is gemm.h; hand in your own headers beside the source"},
        {"naive.c:1:10: fatal error: paragrad.h: No such file or directory",
         "the header of this exercise is gemm.h; hand in your own headers beside the source"},
        {"naive.c:1:10: error: 'x' undeclared", NULL},
        {"fatal error: : No such file or directory", NULL},
        {"fatal error: x.h", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *hint = missing_header_hint(table[i].message, "gemm.h");
        if (table[i].hint)
            assert_string_equal(hint, table[i].hint);
        else
            assert_null(hint);
        free(hint);
    }
}

TESTS(NULL, NULL)
