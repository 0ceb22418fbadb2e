/* What a source is with its own macros expanded. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "model/macros.h"

static char *expanded(const char *text)
{
    size_t n;
    struct macros *m = macros_new();
    macros_define(m, text, strlen(text));
    char *out = macros_expand(m, text, strlen(text), &n);
    assert_int_equal(n, strlen(out));
    macros_free(m);
    return out;
}

TEST(texts)
{
    static const struct {
        const char *text, *out;
    } row[] = {
        {"", "\n"},
        {"#define", "\n"},
        {"#define 3\nx", "\nx \n"},
        {"#define F(a\nF(1)", "F ( a \n"},
        {"#define F(a) a\nF F(", "\nF F ( \n"},
        {"#define A A\nA", "\nA \n"},
        {"#define A B\n#define B A\nA", "\n\nA \n"},
        {"a /* b */ + 1.5; // c\nd", "a + 1.5 ; \nd \n"},
        {"#include <x.h>\n#pragma omp for\n#if N\nx",
         "# include < x . h > \n# pragma omp for \n# if N \nx \n"},
        {"#define N 4\nN\n\nN", "\n4 \n\n4 \n"},
        {"N\n#define N 4\n", "4 \n"}, /* as in a header that is read later */
        {"#define N\nN x", "\nx \n"},
        {"#define row i\n#define sum acc\nsum += a[row];", "\n\nacc + = a [ i ] ; \n"},
        {"#define LOOP(v, n) \\\nfor (v = 0; v < n; v++)\nLOOP(i, m + 1) x;",
         "\n\nfor ( i = 0 ; i < m + 1 ; i + + ) x ; \n"},
        {"#define F(a, b) a-b\nF(g(1, 2), (3, 4))", "\ng ( 1 , 2 ) - ( 3 , 4 ) \n"},
        {"#define F(a) <a>\nF(F(1))", "\n< < 1 > > \n"},
        {"#define F(a) a\n#define G F\nG(1)", "\n\nF ( 1 ) \n"},
        {"#define F() 7\nF()", "\n7 \n"},
        {"#define P(f, ...) f(__VA_ARGS__)\nP(g, 1, 2)", "\ng ( 1 , 2 ) \n"},
        {"#define J(a, b) a##b\nJ(fo, r)", "\nfor \n"},
        {"#define F(a) a\nF(1\n)\ny", "\n1 \n\ny \n"},
        {"#define N 1\n#define L(x) a b c d e f g h i j k l m n o p q r s t u v w N x\nL(2) L",
         "\na b c d e f g h i j k l m n o p q r s t u v w 1 x \nL ( 2 ) L \n"},
        {"#define N 1\n\"N\" 'N'", "\n\"N\" 'N' \n"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        OWNED char *out = expanded(row[i].text);
        if (strcmp(out, row[i].out) != 0)
            fail_msg("%s\n->\n%s", row[i].text, out);
    }
}

/* Macros of a header count. */
TEST(several_texts)
{
    static const char header[] = "#define N 4\n#define UNUSED 5\n", source[] = "N + N";
    struct macros *m = macros_new();
    size_t n;
    macros_define(m, header, strlen(header));
    macros_define(m, source, strlen(source));
    OWNED char *out = macros_expand(m, source, strlen(source), &n);
    assert_string_equal(out, "4 + 4 \n");
    macros_free(m);
}

/* Nothing that can be handed in takes long, or much memory. */
TEST(hostile)
{
    FREED_BY(strbuf_free)
    struct strbuf power = STRBUF_INIT, deep = STRBUF_INIT, joined = STRBUF_INIT,
                  dropped = STRBUF_INIT, grown = STRBUF_INIT;
    strbuf_adds(&power, "#define X0 x x\n");
    for (int i = 1; i < 100; i++)
        strbuf_addf(&power, "#define X%d X%d X%d\n", i, i - 1, i - 1);
    strbuf_adds(&power, "X30 X99");
    strbuf_adds(&deep, "#define F(a) a a\n");
    for (int i = 0; i < 10000; i++)
        strbuf_adds(&deep, "F(");
    strbuf_adds(&joined, "#define J(a) a##a\n#define K(a) J(J(J(J(a))))\n");
    for (int i = 0; i < 20000; i++)
        strbuf_adds(&joined, "K(K(xxxxxxxxxxxxxxxx))\n");
    strbuf_adds(&dropped, "#define A");
    for (int i = 0; i < 200000; i++)
        strbuf_adds(&dropped, " x");
    strbuf_adds(&dropped, "\n#define D(x)\n");
    for (int i = 0; i < 10000; i++)
        strbuf_adds(&dropped, "D(A)\n");
    strbuf_addf(&grown, "#define G(x) x");
    for (int i = 0; i < 16000; i++)
        strbuf_adds(&grown, "##x");
    strbuf_addf(&grown, "\nG(a%01000d)\n", 0);
    const struct strbuf *const all[] = {&power, &deep, &joined, &dropped, &grown};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        alarm(20);
        free(expanded(all[i]->s));
        alarm(0);
    }
}

TESTS(NULL, NULL)
