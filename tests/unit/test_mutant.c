/* Changes of a source: which there are, and what becomes of the text. */
#include "base/strbuf.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mutant.h"

/* Is there a change of that kind that gives this text? Or, with `wanted` NULL, any of that kind? */
static bool gives(const char *text, const char *what, const char *wanted)
{
    FREED_BY(mutant_list_free) struct mutant_list l = {0};
    bool found = false;
    mutants_of(&kernel_gemm_i32, text, strlen(text), &l);
    for (size_t i = 0; i < l.count; i++) {
        OWNED char *changed = mutant_apply(&l.item[i], text, strlen(text));
        found = found ||
                (strcmp(l.item[i].what, what) == 0 && (!wanted || strcmp(changed, wanted) == 0));
    }
    return found;
}

TEST(none)
{
    static const char *const texts[] = {
        "",
        "}",
        "{",
        "((((",
        "int M;",
        "enum { A = 1 + 2, B = M };",
        "struct s { int M, N; };",
        "static const int t[] = {1 + 2, M < N};",
        "#define F(M) (M + 1)\n",
        "#define F(M) \\\n  { M = M + 1; }\n",
        "/* void f(void) { M = 1; } */",
        "void f(int M, int N);",
        "void f(void) { }",
        "void f(void) { free(a); return; }",
        "void f(void) { int M; }",
        "void f(void) { return x->y; }",
        "void f(void) { struct s a = {M + 1, N < 2}; }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        FREED_BY(mutant_list_free) struct mutant_list l = {0};
        mutants_of(&kernel_gemm_i32, texts[i], strlen(texts[i]), &l);
        if (l.count)
            fail_msg("'%s': a change of kind %s", texts[i], l.item[0].what);
    }
}

TEST(changes)
{
#define BODY(text) "void f(void) { " text " }"
    static const struct {
        const char *text, *what, *wanted; /* wanted NULL: there is none of this kind */
    } table[] = {
        {BODY("g(M);"), "dimension", BODY("g(N);")},
        {BODY("g(M);"), "dimension", BODY("g(K);")},
        {BODY("g(Mx, m);"), "dimension", NULL},
        {BODY("while (i < n) g();"), "comparison", BODY("while (i <= n) g();")},
        {BODY("while (i <= n) g();"), "comparison", BODY("while (i < n) g();")},
        {BODY("while (i >= n) g();"), "comparison", BODY("while (i > n) g();")},
        {BODY("g(a << 2, b >> 2, p->q);"), "comparison", NULL},
        {BODY("return a < b ? a : b;"), "comparison", NULL},
        {BODY("g(a + 1);"), "arithmetic", BODY("g(a - 1);")},
        {BODY("g(a - b);"), "arithmetic", BODY("g(a + b);")},
        {BODY("s += 1;"), "sum", BODY("s = 1;")},
        {BODY("g(-1, i++, p->q);"), "arithmetic", NULL},
        {BODY("int s = 0;"), "initial value", BODY("int s ;")},
        {BODY("int s = 0;"), "off by one", BODY("int s = 1;")},
        {BODY("for (int i = 0; i < n; i++) g();"), "initial value", NULL},
        {BODY("for (int i = 0; i < n; i++) g();"), "loop", BODY("for (int i = 0; 0; i++) g();")},
        {BODY("for (;;) g();"), "loop", NULL},
        {BODY("double s;"), "type", BODY("float s;")},
        {BODY("double *s;"), "type", NULL},
        {BODY("a[i] = 1; g();"), "statement", BODY("; g();")},
        {BODY("h(1); MPI_Comm_free(&c);"), "statement", BODY("; MPI_Comm_free(&c);")},
        {BODY("MPI_Comm_free(&c);"), "statement", NULL},
        {BODY("\n#pragma omp for reduction(+ : s)\ng();"), "clause",
         BODY("\n#pragma omp for \ng();")},
        {BODY("\n#pragma omp for private(t) \ng();"), "clause", BODY("\n#pragma omp for  \ng();")},
        {BODY("\n#pragma omp barrier\ng();"), "directive", BODY("\n\ng();")},
        {BODY("\n#pragma omp for\ng();"), "barrier", BODY("\n#pragma omp for nowait\ng();")},
        {BODY("\n#if M + N\n#endif\n"), "dimension", NULL},
    };
#undef BODY
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (gives(table[i].text, table[i].what, table[i].wanted) != (table[i].wanted != NULL))
            fail_msg("'%s', %s: %s", table[i].text, table[i].what,
                     table[i].wanted ? table[i].wanted : "there is one");
}

TEST(texts)
{
    static const char text[] = "void f(void)\n{\n    if (a) {\n        g(M, 1);\n    }\n}\n";
    FREED_BY(mutant_list_free) struct mutant_list l = {0};
    mutants_of(&kernel_gemm_i32, text, strlen(text), &l);
    assert_int_equal(l.count, 3); /* the statement, and two other dimensions */
    assert_string_equal(l.item[1].what, "dimension");
    assert_int_equal(l.item[1].line, 4);
    OWNED char *shown = mutant_text(&l.item[1], text, strlen(text));
    OWNED char *probe = mutant_probe(&l.item[1], text, strlen(text));
    assert_string_equal(shown, "`g(M, 1);` -> `g(N, 1);`");
    assert_string_equal(probe, "void f(void)\n{\n    if (a) { __builtin_trap(); \n        g(M, "
                               "1);\n    }\n}\n");
}

/* Where the trap of the changes of a dimension is. '@' marks the place, '$' one without braces. */
TEST(probes)
{
    static const char *const table[] = {
        "void f(void) {@ g(M); }",
        "void f(void) { if (a) return;@ g(M); }",
        "void f(void) { for (i = 0; i < 3; i++)$ g(M); }",
        "void f(void) {@ for (i = 0; i < M; i++) h(); }",
        "void f(void) { for (i = 0; i < 3; i++) if (i == (2))$ g(M); }",
        "void f(void) {@ for (i = 0; i < 3; i++) if (i) { h(); } g(M); }",
        "void f(void) { h(); if (a)$ g(M); else h(); }",
        "void f(void) { h(); if (a) h(); else$ g(M); }",
        "void f(void) { h(); if (a) { h(); } else$ g(M); }",
        "void f(void) { h();@ if (a) h(); else if (M) h(); }",
        "void f(void) { h(); if (a) h(); else if (b)$ g(M); else h(); }",
        "void f(void) { if (a) h(); else h();@ g(M); }",
        "void f(void) { if (a)$\n#pragma omp atomic\n x += M; }",
        "void f(void) {@ do h(); while (M); }",
        "void f(void) { h();@ { int x[] = {1}; } g(M); }",
        "void f(void) { switch (a) {@ case 1: h(); break; case 2: g(M); } }",
        "void f(void) { switch (a) { case 1: h(); break; default: h();@ g(M); } }",
        "void f(void) {@ h(); return; out: g(M); }",
        "void f(void) {@ h();\n#if A\nh();\n#else\nh();\n#endif\ng(M); }",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[200], wanted[240];
        const char *mark = table[i] + strcspn(table[i], "@$");
        FREED_BY(mutant_list_free) struct mutant_list l = {0};
        snprintf(text, sizeof text, "%.*s%s", (int)(mark - table[i]), table[i], mark + 1);
        snprintf(wanted, sizeof wanted, "%.*s %s %s", (int)(mark - table[i]), table[i],
                 *mark == '@' ? "__builtin_trap();" : "if (__builtin_trap(), 0) ; else", mark + 1);
        mutants_of(&kernel_gemm_i32, text, strlen(text), &l);
        for (size_t k = 0; k < l.count; k++) {
            if (strcmp(l.item[k].what, "dimension") != 0)
                continue;
            OWNED char *probe = mutant_probe(&l.item[k], text, strlen(text));
            if (strcmp(probe, wanted) != 0)
                fail_msg("'%s' gives '%s'", table[i], probe);
        }
    }
}

TESTS(NULL, NULL)
