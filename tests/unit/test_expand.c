/* What macros make of a source: whose lines they are, and what changes the compiler's options. */
#include "unit.h"

#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"
#include "build/expand.h"

#include "test_dir.h"

#define ATTRIBUTE "__attribute__((optimize(\"O3\"))) void f(void);\n"
#define START "# 0 \"naive.c\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"naive.c\"\n"

TEST(whose_lines)
{
    static const struct {
        const char *name, *text, *found; /* found: how it begins; "": nothing */
    } table[] = {
        {"nothing", "", ""},
        {"no marker", ATTRIBUTE, "?:1: the attribute optimize"},
        {"the source", START "int x;\n\n" ATTRIBUTE, "naive.c:3: the attribute optimize"},
        {"by its path", "# 7 \"/d/src/naive.c\"\n" ATTRIBUTE, "naive.c:7: the attribute optimize"},
        {"a pragma", START "\n#pragma GCC target(\"avx2\")\n", "naive.c:2: #pragma GCC target"},
        {"a header of the student", START "# 1 \"/d/src/my.h\" 1\n" ATTRIBUTE "# 2 \"naive.c\" 2\n",
         "my.h:1: the attribute"},
        {"a header of the compiler",
         START "# 1 \"/usr/include/x.h\" 1 3\n#pragma GCC push_options\n" ATTRIBUTE
               "# 2 \"naive.c\" 2\nint x;\n",
         ""},
        {"after a header of the compiler",
         START "# 1 \"/usr/include/x.h\" 1 3\nint x;\n# 2 \"naive.c\" 2\n" ATTRIBUTE, "naive.c:2:"},
        {"another name of the directory", START "# 1 \"/usr/../proc/self/cwd/my.h\" 1\n" ATTRIBUTE,
         "/usr/../proc/self/cwd/my.h:1: the attribute"},
        {"a directory beside it", START "# 1 \"/d/src2/my.h\" 1\n" ATTRIBUTE, ""},
        {"a line that claims to be the compiler's", START "# 1 \"/usr/include/x.h\"\n" ATTRIBUTE,
         "/usr/include/x.h:1: the attribute"},
        {"in a second source", START "int x;\n" START ATTRIBUTE, "naive.c:1: the attribute"},
        {"more returns than headers", "# 1 \"naive.c\" 2\n# 1 \"naive.c\" 2\n" ATTRIBUTE,
         "naive.c:1"},
        {"other pragmas and attributes",
         START "#pragma omp simd\n__attribute__((noinline)) void f(void);\n", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *found =
            expand_find_change(table[i].text, strlen(table[i].text), "/d/src", false, false);
        const char *wanted = table[i].found;
        if (*wanted ? !found || strncmp(found, wanted, strlen(wanted)) != 0 : found != NULL)
            fail_msg("%s: %s", table[i].name, found ? found : "nothing");
    }
}

/* What a macro makes of _Pragma, and strings that only look like its operand. */
TEST(operators)
{
    static const struct {
        const char *text, *found;
    } table[] = {
        {"#define P(x) _Pragma(x)\n\nP(\"GCC optimize 3\")\n", "naive.c:3: #pragma GCC optimize"},
        {"#define Q _Pragma\nQ(\"GCC optimize 3\")\n", "naive.c:2: #pragma GCC optimize"},
        {"#define P(x) _Pragma(x)\n#define Q(x) P(x)\nQ(\"GCC target(\\\"avx2\\\")\")\n",
         "naive.c:3: #pragma GCC target"},
        {"#define P(a, x) a _Pragma(x)\nP(int b;,\n \"GCC optimize 3\")\n", "naive.c:"},
        {"#define P(x) _Pragma(#x)\n#define G GCC\nP(GCC push_options)\n",
         "naive.c:3: #pragma GCC push_options"},
        {"#define P(x) _Pragma(x)\nchar *s = \"GCC optimize\"; P(\"GCC ivdep\")\n", ""},
        {"#define O \"GCC optimize\"\nchar *s = O; _Pragma(\"GCC ivdep\")", ""},
    };
    OWNED char *source = at("naive.c");
    char *const argv[] = {"gcc", "-o", "x.so", source, NULL}, *const none[] = {NULL};
    OWNED_TEXTS char **words = expand_command(argv, none, false);
    const struct proc_spec spec = {.argv = words, .cwd = test_dir, .output_max = 1 << 20};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct proc_result r;
        struct err e = ERR_INIT;
        put_at("naive.c", table[i].text);
        assert_int_equal(proc_run(&spec, &r, &e), 0);
        OWNED char *found = expand_find_change(r.out.s, r.out.len, test_dir, false, false);
        proc_result_free(&r);
        const char *wanted = table[i].found;
        if (*wanted ? !found || strncmp(found, wanted, strlen(wanted)) != 0 : found != NULL)
            fail_msg("%s: %s", table[i].text, found ? found : "nothing");
    }
}

/* The adapter is the instructor's; the headers that it includes are not. */
TEST(adapters)
{
    static const char text[] =
        "# 0 \"paragrade_adapter.c\"\n" ATTRIBUTE "# 1 \"/d/src/my.h\" 1\n\n" ATTRIBUTE;
    OWNED char *found = expand_find_change(text, strlen(text), "/d/src", true, false);
    assert_non_null(found);
    assert_memory_equal(found, "my.h:2: ", 8);
}

/* As many lines as a source can make: the name of the file must not be kept for each. */
TEST(long_texts)
{
    enum { LONG = 9 << 20 };
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "# 1 \"%04000d\"\n", 0);
    while (text.len < LONG)
        strbuf_adds(&text, ";\n");
    strbuf_adds(&text, ATTRIBUTE);
    OWNED char *found = expand_find_change(text.s, text.len, "/d/src", false, false);
    assert_non_null(strstr(found, EXPAND_TOO_LONG));
}

TEST(commands)
{
    static const struct {
        const char *command, *expands;
        bool adapter;
    } table[] = {
        {"gcc -O2 -o a.so a.c b.c -lm", "gcc -O2 a.c b.c -lm -E", false},
        {"gcc a.c -o", "gcc a.c -o -E", false},
        {"ispc a.ispc -o a.o && gcc a.o -o a.so", "ispc a.ispc -E", false},
        {"gcc a.c lib/d.c paragrade_adapter.c x.o", "gcc a.c lib/d.c x.o -E", false},
        {"gcc a.c lib/d.c paragrade_adapter.c x.o", "gcc paragrade_adapter.c x.o -E", true},
    };
    char *const sources[] = {"a.c", "lib/d.c", "paragrade_adapter.c", NULL};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED_TEXTS char **argv = proc_argv_split(table[i].command),
                         **words = expand_command(argv, sources, table[i].adapter);
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        for (size_t k = 0; words[k]; k++)
            strbuf_addf(&sb, "%s%s", k ? " " : "", words[k]);
        assert_string_equal(sb.s, table[i].expands);
    }
}

TESTS(test_dir_make, test_dir_remove)
