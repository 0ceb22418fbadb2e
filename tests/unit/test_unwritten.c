/* Which sources count as not yet written. */
#include "plan/unwritten.h"

#include "unit.h"

#define MARK "/* simd - your turn. if (x) y = z; */\n#include \"gemm.h\"\n#include <stdint.h>\n"
#define HEAD "void gemm_i32(int M, const int32_t *A,\n    int32_t *C)\n"

static const struct row {
    const char *text;
    bool unwritten;
} rows[] = {
    {MARK HEAD "{\n    (void)M, (void)A, (void)C;\n}\n", true},
    {MARK HEAD "{ // later: C[0] = 1;\n}", true},
    {MARK "export void gemm(uniform int M, uniform int C[])\n{\n}\n", true},
    {MARK "int32_t f(int n)\n{\n    (void)n;\n    return 0;\n}\n", true},
    {MARK, true},
    {"// simd - your turn", true},
    /* Somebody has begun. */
    {MARK HEAD "{\n    C[0] = 0;\n}\n", false},
    {MARK HEAD "{\n    other(M, A, C);\n}\n", false},
    {MARK HEAD "{\n    (void)M; for (;;) ;\n}\n", false},
    {MARK HEAD "{\n    (void)memset(C, 0, 4);\n}\n", false},
    {MARK "int32_t f(int n)\n{\n    return n;\n}\n", false},
    {MARK "int32_t f(int n)\n{\n    return 0 + n;\n}\n", false},
    {MARK "#include \"mine.h\"\n", false},
    {MARK "#define N 4\n", false},
    {MARK "static int table[] = {1};\n", false},
    {MARK "__asm__(\".globl gemm_i32\");\n", false},
    /* Who removes the comment wants to be graded. */
    {"#include \"gemm.h\"\n" HEAD "{\n    (void)M, (void)A, (void)C;\n}\n", false},
    {"", false},
};

TEST(test_rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (source_is_unwritten(rows[i].text, "gemm.h") != rows[i].unwritten)
            fail_msg("%s: expected %d", rows[i].text, rows[i].unwritten);
}

TESTS(NULL, NULL)
