/* Where a source changes the compiler's options: what hides it first, then what only looks like it.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/pragmas.h"
#include "build/source_facts.h"

#include "test_dir.h"

/* Hits in one line: "3 #pragma GCC optimize; 7 <x.h>". */
static void append(const struct pragma_hit *h, void *arg)
{
    struct strbuf *sb = arg;
    if (h->change)
        strbuf_addf(sb, "%s%u %s", sb->len ? "; " : "", h->line, h->change);
    else if (h->include)
        strbuf_addf(sb, "%s%u <%s>", sb->len ? "; " : "", h->line, h->include);
}

struct row {
    const char *text, *hits;
};

static void expect(const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        pragmas_scan(row[i].text, strlen(row[i].text), append, &sb);
        if (strcmp(sb.s, row[i].hits) != 0)
            fail_msg("%s\nhas: %s\ninstead of: %s", row[i].text, sb.s, row[i].hits);
    }
}

#define EXPECT(rows) expect(rows, sizeof(rows) / sizeof((rows)[0]))
#define OPTIMIZE "#pragma GCC optimize"
#define TARGET "#pragma GCC target"
#define PUSH "#pragma GCC push_options"

TEST(pragmas)
{
    static const struct row rows[] = {
        {"#pragma GCC optimize", "1 " OPTIMIZE},
        {"int x;\n\n#pragma GCC optimize(\"O3\")\n", "3 " OPTIMIZE},
        {"#pragma GCC target(\"avx2\")\n", "1 " TARGET},
        {"#pragma GCC push_options\n#pragma GCC pop_options\n", "1 " PUSH},
        {" \t#\t pragma\v GCC\f optimize (\"O3\")\r\n", "1 " OPTIMIZE},
        {"# /* a */ pragma /* b\n */ GCC // c\n optimize", ""}, /* the directive ended */
        {"# /* a */ pragma /* b\n */ GCC /**/ optimize 3\n", "2 " OPTIMIZE},
        {"/**/ #pragma GCC optimize 3\n", "1 " OPTIMIZE},
        {"#prag\\\nma G\\\nCC opt\\\nimize 3\n", "3 " OPTIMIZE},
        {"#pragma GCC \\\noptimize 3\n", "2 " OPTIMIZE},
        {"#pragma GCC opti\\ \t\nmize 3\n", "1 " OPTIMIZE},
        {"#pragma GCC opti\\\r\nmize 3\r\n", "1 " OPTIMIZE},
        {"%:pragma GCC optimize 3\n", "1 " OPTIMIZE},
        {"\?\?=pragma GCC optimize 3\n", "1 " OPTIMIZE},
        {"#pragma GCC op\?\?/\ntimize 3\n", "1 " OPTIMIZE},
        {"// \?\?/\n#pragma GCC optimize 3\n", "2 " OPTIMIZE}, /* without trigraphs */
        {"char *s = R\"(\";\n#pragma GCC optimize 3\n//)\";", "2 " OPTIMIZE}, /* in C */
        {"auto s = R\"(\"/*)\";\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},   /* in C++ */
        {"auto s = u8R\"x()\")x\"; _Pragma(R\"a(GCC target 3)a\")", "1 " TARGET},
        {"R\"(\n\n)\"\n#pragma GCC optimize 3\n", "4 " OPTIMIZE},
        {"R\"(#pragma GCC optimize", ""},
        {"char c = '\"';\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"char c = '\\'', *s = \"\\\"\";\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"#error don't\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"#error \"\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"int a = 1'000'000;\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"#if 0\n#pragma GCC optimize 3\n#endif\n", "2 " OPTIMIZE},
        {"#define STOP */\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"/* */ /*/ */\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
        {"#define DO(x) _Pragma(#x)\nDO(GCC optimize 3)\n", "2 " OPTIMIZE},
        {"#pragma GCC optimize 3\n#pragma GCC target(\"x\")\n", "1 " OPTIMIZE "; 2 " TARGET},
        /* No change of options */
        {"", ""},
        {"\\", ""},
        {"#pragma GCC", ""},
        {"// #pragma GCC optimize\n", ""},
        {"// \\\n#pragma GCC optimize\n", ""},
        {"/* \n#pragma GCC optimize\n*/", ""},
        {"/* #pragma GCC optimize", ""},
        {"char *s = \"\\\n#pragma GCC optimize 3\";\n", ""},
        {"puts(\"#pragma GCC optimize\");", ""},
        {"puts(\"GCC optimize\");", ""},
        {"#pragma GCC optimize_not\n#pragma GCC unroll 8\n#pragma GCC ivdep\n", ""},
        {"#pragma GCC diagnostic push\n#pragma GCC pop_options\n#pragma GCC reset_options\n", ""},
        {"#pragma omp declare target\n#pragma omp target\n", ""},
        {"#ifdef GCC\ntarget = 1;\n#endif\n", ""},
        {"int target = 0, optimize(int x);\n", ""},
        {"#pragma gcc optimize 3\n", ""},
        {"#error GCC target needed\n", ""},
        {"# error don't use GCC optimize\n", ""},
        {"#error \\\nGCC target needed /*\n*/ GCC target\n", ""},
        {"#warning GCC optimize\n#pragma GCC target(\"x\")\n", "2 " TARGET},
        {"#error\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
    };
    EXPECT(rows);
}

/* Text of ten characters, and of many. */
#define TEN "\"nopnopnop\\n\" "
#define LONG_ASM TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define ASSEMBLER "assembler of more than 500 characters"
#define ASSEMBLER_FILE "assembler that reads a file"

TEST(assembler)
{
    static const struct row rows[] = {
        {"asm volatile(\"\" ::: \"memory\");", ""},
        {"__asm__(" LONG_ASM LONG_ASM LONG_ASM LONG_ASM ");", ""},
        {"\nasm(" LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM ");\n", "2 " ASSEMBLER},
        {"asm(" LONG_ASM LONG_ASM LONG_ASM ");\n__asm volatile(\n" LONG_ASM LONG_ASM LONG_ASM ");",
         "2 " ASSEMBLER},
        {"asm(\"nop\" : \"+r\"(x)); f(" LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM ");",
         ""},
        {"asm(\".include \\\"kernel.h\\\"\");", "1 " ASSEMBLER_FILE},
        {"int asm_count(void);", ""},
        {"asm", ""},
        {"asm(\"", ""},
        {"asm(x", ""},
        {"int f(void) __asm__(\"g\");\n#pragma GCC optimize 3\n", "2 " OPTIMIZE},
    };
    EXPECT(rows);
}

TEST(operators)
{
    static const struct row rows[] = {
        {"_Pragma(\"GCC optimize(\\\"O3\\\")\")", "1 " OPTIMIZE},
        {"_Pragma (\n \" GCC\\\n  target\" )", "2 " TARGET},
        {"_Pragma(\"GCC /* x */ push_options\")", "1 " PUSH},
        {"_Pragma(L\"GCC optimize 3\")", "1 " OPTIMIZE},
        {"#define P _Pragma(\"GCC optimize 3\")\nP\n", "1 " OPTIMIZE},
        {"_Pragma(\"GCC ivdep\") _Pragma(\"omp simd\") puts(\"GCC\");", ""},
        {"_Pragma(\"STDC GCC optimize\")", ""},
        {"// _Pragma(\"GCC optimize 3\")\n", ""},
        {"#define P(a) a \\\n _Pragma (\"GCC target 3\")\n", "2 " TARGET},
        {"_Pragma(\"GCC ivdep\")\nputs(\"GCC optimize flags are those of the tier\");", ""},
        {"_Pragma(\"GCC ivdep\") (\"GCC optimize\");", ""},
        {"#define P _Pragma(\n\"GCC optimize\"", ""},
        {"puts(\"_Pragma(\\\"GCC optimize 3\\\")\");", ""},
        {"_Pragma(\"", ""},
    };
    EXPECT(rows);
}

TEST(attributes)
{
    static const struct row rows[] = {
        {"__attribute__((optimize(\"O3\"))) void f(void);", "1 the attribute optimize"},
        {"__attribute((target(\"avx2\"))) void f(void);", "1 the attribute target"},
        {"__attribute__ ( ( __target_clones__ (\"a\", \"b\") ) )", "1 the attribute target_clones"},
        {"[[gnu::target_version(\"avx2\")]] int f();", "1 the attribute target_version"},
        {"__attribute__((noinline,\n aligned(8), __optimize__(3), hot))",
         "2 the attribute optimize"},
        {"#define FAST __attribute__((optimize(3)))\n", "1 the attribute optimize"},
        {"#define FAST \\\n __attribute__((optimize(3)))\n", "2 the attribute optimize"},
        {"[[gnu::optimize(\"O3\")]] void f();", "1 the attribute optimize"},
        {"[[nodiscard, __gnu__ :: __target__ (\"avx2\")]] int f();", "1 the attribute target"},
        {"[[using gnu: hot, optimize(3)]] int f();", "1 the attribute optimize"},
        {"[[using gnu : target(\"x\")]] int f();", "1 the attribute target"},
        {"__attribute__((noinline)) void target(int optimize);", ""},
        {"__attribute__((alias(\"optimize\"), section(target)))", ""},
        {"__attribute__ void target(int x, int optimize);", ""},
        {"void f(int x, int target, int optimize);", ""},
        {"a[gnu].target = optimize[2];", ""},
        {"std::target(optimize); x ? gnu : target;", ""},
        {"__attribute__((", ""},
        {"__attribute__)))))(((optimize", ""},
    };
    EXPECT(rows);
}

TEST(includes)
{
    static const struct row rows[] = {
        {"#include \"a.h\"\n#include <b.h>\n", "1 <a.h>; 2 <b.h>"},
        {" # /**/ include \"x/y.h\" // z\n", "1 <x/y.h>"},
        {"#include_next <a.h>\n#import \"b.h\"\n", "1 <a.h>; 2 <b.h>"},
        {"#include NAME\n", "1 <>"},
        {"#if __has_include(<a.h>) || __has_include (\"../b\")\n", "1 <a.h>; 1 <../b>"},
        {"#ifdef __has_include\n#define HAS(x) __has_include(x)\n#endif\n", ""},
        {"#if __has_include_next(<a.h>)\n#pragma GCC optimize 3\n", "1 <a.h>; 2 " OPTIMIZE},
        {"#include\n#include \"a.h\"\n", "1 <>; 2 <a.h>"},
        {"#include <it's.h>\n#pragma GCC optimize 3\n", "1 <it's.h>; 2 " OPTIMIZE},
        {"#include <never\n#pragma GCC optimize 3\n", "1 <never>; 2 " OPTIMIZE},
        {"// #include \"a.h\"\nint include;\n\"#include <a.h>\"", ""},
    };
    EXPECT(rows);
}

/* --- files --------------------------------------------------------------------------------------
 */

TEST_WITH(files, test_dir_make, NULL)
{
    static const char says[] = "changes the compiler's options of this tier";
    static const struct {
        const char *source, *place, *end;
    } rows[] = {
        {"plain.c", NULL, NULL},
        {"strange.c", NULL, NULL}, /* though others include the headers */
        {"direct.c", "direct.c:2: " OPTIMIZE " ", says},
        {"by_header.c", "clones.h:1: the attribute target_clones ", says},
        {"by_headers.c", "clones.h:1: the attribute target_clones ", says},
        {"by_macro.c", "clones.h:1: ", " (also lib/deep.h:1)"},
        {"two.c", "two.c:1: " OPTIMIZE " ", " (also two.c:2)"},
        {"many.c", "many.c:1: " OPTIMIZE " ", " (also many.c:2, many.c:3 and 2 more)"},
        {"itself.c", "itself.c:2: " OPTIMIZE " ", says},
        {"by_path.c", "lib/deep.h:1: " OPTIMIZE " ", says},
    };
    put_at("plain.c", "#include \"gemm.h\"\n#include <immintrin.h>\nint x;\n");
    put_at("strange.c", "// #include \"outer.h\"\n");
    put_at("direct.c", "\n#pragma GCC optimize 3\n");
    put_at("clones.h", "__attribute__((target_clones(\"default\")))\n");
    put_at("outer.h", "#pragma once\n#include \"./clones.h\"\n");
    put_at("by_header.c", "#include \"clones.h\"\n");
    put_at("by_headers.c", "#include <outer.h>\n");
    put_at("by_macro.c", "#define X \"clones.h\"\n#include X\n");
    put_at("two.c", OPTIMIZE " 3\n" OPTIMIZE " 2\n");
    put_at("many.c", OPTIMIZE " 3\n" PUSH "\n" PUSH "\n" PUSH "\n" PUSH "\n");
    OWNED char *lib = at("lib");
    assert_int_equal(fs_mkdirs(lib, NULL), 0);
    put_at("lib/deep.h", OPTIMIZE " 3\n");
    put_at("by_path.c", "#include \"lib/deep.h\"\n");
    put_at("itself.c", "#include \"itself.c\"\n" OPTIMIZE " 3\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct source_facts f;
        struct err e = ERR_INIT;
        char *sources[] = {(char *)rows[i].source, NULL};
        assert_int_equal(source_facts_find(test_dir, sources, 1000, false, &f, &e), 0);
        OWNED char *found = f.change;
        const char *end = rows[i].end ? rows[i].end : "", *text = found ? found : "";
        size_t n = strlen(text), tail = strlen(end);
        if (!rows[i].place != !found || n < tail || strcmp(text + n - tail, end) != 0 ||
            (found && strncmp(found, rows[i].place, strlen(rows[i].place)) != 0))
            fail_msg("%s: %s", rows[i].source, text);
    }
}

/* What is included and was not handed in. */
TEST(outside)
{
    static const struct {
        const char *file, *text, *outside;
    } rows[] = {
        {"o.c", "#include <stdio.h>\n#include \"o.h\"\n", NULL},
        {"o.c", "#include \"./lib/../o.h\"\n#include <sys/types.h>\n", NULL},
        {"o.c", "\n#include \"../bob/o.h\"\n", "o.c:2 includes ../bob/o.h, which is not handed in"},
        {"o.c", "#include \"lib/../../bob/o.c\"\n", "o.c:1 includes lib/../../bob/o.c, which is"},
        {"o.c", "#include \"/home/bob/o.c\"\n#include \"/x\"\n", "o.c:1 includes /home/bob/o.c, "},
        {"lib/p.c", "#include \"../o.h\"\n", NULL},
        {"o.c", "#if __has_include(<omp.h>) && __has_include(\"lib/p.h\")\n#endif\n", NULL},
        {"o.c", "#if !__has_include(\"../kernel.so\")\n#endif\n",
         "o.c:1 asks for ../kernel.so, which is not handed in"},
        {"lib/p.c", "#include <../../o.h>\n", "lib/p.c:1 includes ../../o.h, "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct source_facts f;
        struct err e = ERR_INIT;
        char *sources[] = {(char *)rows[i].file, NULL};
        put_at(rows[i].file, rows[i].text);
        assert_int_equal(source_facts_find(test_dir, sources, 1000, false, &f, &e), 0);
        const char *wanted = rows[i].outside;
        if (wanted ? !f.outside || strncmp(f.outside, wanted, strlen(wanted)) != 0
                   : f.outside != NULL)
            fail_msg("%s: %s", rows[i].text, f.outside ? f.outside : "nothing");
        assert_null(f.change);
        free(f.outside);
    }
}

/* Tensor cores are reached by assembler. */
TEST(device)
{
    static char *const sources[] = {"cuda.cu", NULL};
    static const char text[] = "asm(" LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM LONG_ASM ");";
    for (int device = 0; device < 2; device++) {
        struct source_facts f;
        struct err e = ERR_INIT;
        put_at("cuda.cu", text);
        assert_int_equal(source_facts_find(test_dir, sources, 10000, device, &f, &e), 0);
        assert_int_equal(f.change == NULL, device);
        free(f.change);
    }
}

TEST_WITH(unreadable, NULL, test_dir_remove)
{
    struct source_facts f;
    struct err e = ERR_INIT;
    char *sources[] = {(char[]){"large.c"}, NULL};
    assert_int_equal(source_facts_find("/nonexistent", sources, 1000, false, &f, &e), -1);
    put_at("large.c", "int x;");
    assert_int_equal(source_facts_find(test_dir, sources, 5, false, &f, &e), -1);
    assert_non_null(strstr(e.text, "larger than 5 bytes"));
    assert_null(f.change);
}

/* Nothing that can be handed in takes long. */
TEST(slow)
{
    enum { BYTES = 1 << 20 };
    static const char *const units[] = {"R\"(",
                                        "\\ ",
                                        "\\\n",
                                        "/",
                                        "'",
                                        "\?\?/",
                                        "__attribute__((",
                                        "#",
                                        "_Pragma(\"",
                                        "/*",
                                        "R\"x(\"",
                                        "u8R\"",
                                        "1'",
                                        "#define P(x) _Pragma(x)\n",
                                        "#define \"GCC optimize\"\n",
                                        "#error\n"};
    OWNED char *text = malloc(BYTES + 16);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t n = 0, unit = strlen(units[i]);
        for (; n + unit <= BYTES; n += unit)
            memcpy(text + n, units[i], unit);
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        alarm(20);
        pragmas_scan(text, n, append, &sb);
        alarm(0);
    }
}

TESTS(NULL, NULL)
