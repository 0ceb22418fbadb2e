/* What is said of a header or a constant that is not there. */
#include "base/strbuf.h"
#include "unit.h"

#include "build/missing_name.h"

TEST(hints)
{
    char own[] = "own.h", deep[] = "include/deep.h", both[] = "src/both.h";
    char *const there[] = {own, deep, both, NULL};
    static const struct {
        const char *message, *hint;
    } table[] = {
        {"naive.c:1:10: fatal error: gem.h: No such file or directory", "did you mean gemm.h?"},
        {"naive.c:1:10: fatal error: 'gemmm.h' file not found", "did you mean gemm.h?"},
        {"cuda.cu(1): catastrophic error: cannot open source file \"matrix.h\"",
         "the header of this exercise is gemm.h; hand in your own headers beside the source"},
        {"naive.c:1:10: fatal error: paragrad.h: No such file or directory",
         "the header of this exercise is gemm.h; hand in your own headers beside the source"},
        {"naive.c:1:10: fatal error: own.h: No such file or directory",
         "own.h is there: write #include \"own.h\"; compilers look for <own.h> elsewhere"},
        {"src/naive.c:1:10: fatal error: 'both.h' file not found",
         "src/both.h is there: write #include \"both.h\"; compilers look for <both.h> elsewhere"},
        {"naive.c:1:10: fatal error: deep.h: No such file or directory",
         "include/deep.h is there, but not beside naive.c: write its directory, too"},
        {"src/cuda.cu(1): catastrophic error: cannot open source file \"own.h\"",
         "own.h is there, but not beside src/cuda.cu: write its directory, too"},
        {"naive.c:1:10: fatal error: Own.h: No such file or directory",
         "own.h is there: upper and lower case matter"},
        {"naive.c:1:10: fatal error: eep.h: No such file or directory",
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
        OWNED char *hint = missing_name_hint(table[i].message, "gemm.h", there);
        if (table[i].hint)
            assert_string_equal(hint, table[i].hint);
        else
            assert_null(hint);
    }
}

TESTS(NULL, NULL)
