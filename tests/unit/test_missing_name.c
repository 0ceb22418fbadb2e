/* What is said of a header or a constant that is not there. */
#include "base/strbuf.h"
#include "unit.h"

#include "build/missing_name.h"

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
        {"naive.c:1:10: error: ‘M_PI’ undeclared (first use in this function)",
         "it is no part of standard C: begin the source with #define _GNU_SOURCE"},
        {"naive.c:1:10: error: use of undeclared identifier 'M_PI'",
         "it is no part of standard C: begin the source with #define _GNU_SOURCE"},
        {"naive.c:1:10: error: 'M_PI' redeclared", NULL},
        {"naive.c:1:10: error: 'MY_PI' undeclared", NULL},
        {"fatal error: : No such file or directory", NULL},
        {"fatal error: x.h", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *hint = missing_name_hint(table[i].message, "gemm.h");
        if (table[i].hint)
            assert_string_equal(hint, table[i].hint);
        else
            assert_null(hint);
    }
}

TESTS(NULL, NULL)
