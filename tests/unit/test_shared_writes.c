/* Variables that OpenMP threads share and write, from what gcc prints of a function. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "build/shared_writes.h"

TEST(reads)
{
    static const struct {
        const char *dump, *writes;
    } table[] = {
        {"", ""},
        {"}\n}\n#pragma omp critical\n{\nx = 1;", ""},
        {"void f ()\n{\n  [a.c:3:1] sum = 0;\n}\n", ""},
        /* the usual one; what is read, stored through a pointer or declared inside is no write */
        {"{\n"
         "  [d/a.c:7:9] #pragma omp parallel shared(sum) shared(k) shared(C) shared(M)\n"
         "    [d/a.c:7:9] {\n"
         "      int D.1;\n"
         "      [d/a.c:7:9] #pragma omp for nowait private(i)\n"
         "      for (i = 0; i < M; i = i + 1)\n"
         "        {\n"
         "          [d/a.c:9:1] {\n"
         "            [d/a.c:10:17] sum = 0;\n"
         "            [d/a.c:11:20] k = 0;\n"
         "            [d/a.c:12:21] sum = D.2470 + sum;\n"
         "            [d/a.c:13:26] [d/a.c:13:14] *D.2475 = sum;\n"
         "          }\n        }\n    }\n"
         "  [d/a.c:20:1] C = 0;\n}\n",
         "sum (a.c:10), k (a.c:11)"},
        /* variables of the file have no clause; a local one with such a copy is declared */
        {"{\n"
         "  [a.c:5:9] #pragma omp parallel shared(C) private(own) reduction(+:all)\n"
         "    [a.c:5:9] {\n"
         "      int D.1;\n"
         "      int sum.0;\n"
         "      int own.1;\n"
         "      int all.2;\n"
         "      int mine.3;\n"
         "      int * at.4;\n"
         "      {\n"
         "        int mine;\n"
         "        [a.c:8:17] sum = 0;\n"
         "        [a.c:9:17] own = 0;\n"
         "        [a.c:10:17] all = 0;\n"
         "        [a.c:11:17] mine = 0;\n"
         "        [a.c:12:17] sum.0 = sum;\n"
         "        [a.c:13:17] at = D.1;\n"
         "      }\n    }\n}\n",
         "sum (a.c:8), at (a.c:13)"},
        /* reductions, private copies, and what one thread does at a time */
        {"{\n"
         "  [a.c:1:1] #pragma omp parallel shared(s) shared(r) shared(t) shared(u)\n"
         "    {\n"
         "      [a.c:2:1] #pragma omp for private(s) reduction(+:r)\n"
         "        {\n"
         "          [a.c:3:1] s = 1;\n"
         "          [a.c:4:1] r = r + 1;\n"
         "        }\n"
         "      [a.c:5:1] #pragma omp critical\n"
         "        {\n          [a.c:6:1] t = t + 1;\n        }\n"
         "      [a.c:7:1] #pragma omp atomic_load relaxed\n"
         "        D.1 = *[a.c:7:1] &t\n"
         "      [a.c:8:1] u = 1;\n"
         "    }\n}\n",
         "u (a.c:8)"},
        /* tasks run beside each other, also those that one thread makes */
        {"{\n"
         "  [a.c:1:1] #pragma omp parallel shared(s)\n"
         "    {\n"
         "      [a.c:2:1] #pragma omp single\n"
         "        {\n"
         "          [a.c:3:1] s = 1;\n"
         "          [a.c:4:1] i = 1;\n"
         "          [a.c:5:1] #pragma omp task shared(s) shared(i) shared(t) firstprivate(j)\n"
         "            {\n"
         "              [a.c:6:1] s = 1;\n"
         "              [a.c:7:1] j = 1;\n"
         "              [a.c:8:1] #pragma omp critical\n"
         "                {\n                  [a.c:9:1] t = 1;\n                }\n"
         "              [a.c:10:1] i = D.1 + i;\n"
         "            }\n"
         "          [a.c:11:1] t = 2;\n"
         "          [a.c:12:1] #pragma omp task shared(s)\n"
         "            {\n              [a.c:13:1] s = 1;\n            }\n"
         "          [a.c:14:1] #pragma omp task private(s)\n"
         "            {\n              [a.c:15:1] s = 1;\n            }\n"
         "        }\n"
         "    }\n}\n",
         "s (a.c:6), i (a.c:10)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *writes = shared_writes_read(table[i].dump);
        if (strcmp(writes, table[i].writes) != 0)
            fail_msg("row %zu: '%s'", i, writes);
    }
}

/* Elements of an array of the file, of a local one, of a pointer, and of one of the region. */
TEST(elements)
{
    static const char dump[] =
        "void f (int * C)\n{\n  int row[64];\n"
        "  [d/a.c:8:9] #pragma omp parallel shared(row) shared(C) shared(A)\n"
        "    [d/a.c:8:9] {\n"
        "      int own[8];\n"
        "      [d/a.c:10:9] D.2775 = A + D.2774;\n"
        "      [d/a.c:10:9] D.2776 = [d/a.c:10:9] *D.2775;\n"
        "      [d/a.c:11:29] [d/a.c:11:18] count[D.2777] = D.2779;\n"
        "      [d/a.c:12:25] [d/a.c:12:16] row[D.2780] = k;\n"
        "      [d/a.c:13:25] [d/a.c:13:16] own[D.2780] = k;\n"
        "      [d/a.c:14:14] D.2789 = C + D.2788;\n"
        "      [d/a.c:14:22] [d/a.c:14:14] *D.2789 = D.2790;\n"
        "      [d/a.c:15:1] #pragma omp critical\n"
        "        {\n          [d/a.c:16:1] [d/a.c:16:1] row[D.1] = 1;\n        }\n"
        "    }\n}\n";
    OWNED char *written = shared_elements_read(dump), *variables = shared_writes_read(dump);
    assert_string_equal(written, "count (a.c:11), row (a.c:12), C (a.c:14)");
    assert_string_equal(variables, "");
}

/* g++ calls a function for each element of a vector. */
TEST(elements_of_vectors)
{
    static const char dump[] =
        "{\n"
        "  [d/a.cpp:6:13] #pragma omp parallel shared(row) shared(in) shared(C)\n"
        "    [d/a.cpp:6:13] {\n"
        "      [d/a.cpp:7:22] D.1 = std::vector<int>::operator[] ([d/a.cpp:7:22] &in, D.9);\n"
        "      [d/a.cpp:7:24] D.2 = [d/a.cpp:7:24] *D.1;\n"
        "      [d/a.cpp:8:22] D.3 = std::vector<int>::operator[] ([d/a.cpp:8:22] &row, D.9);\n"
        "      [d/a.cpp:8:24] [d/a.cpp:8:24] *D.3 = D.2;\n"
        "      [d/a.cpp:9:22] D.4 = f ([d/a.cpp:9:22] &in, D.9);\n"
        "      [d/a.cpp:9:24] [d/a.cpp:9:24] *D.4 = D.2;\n"
        "      [d/a.cpp:10:14] D.5 = C + D.8;\n"
        "      [d/a.cpp:10:22] [d/a.cpp:10:14] *D.5 = D.2;\n"
        "    }\n}\n";
    char *written = shared_elements_read(dump);
    assert_string_equal(written, "row (a.cpp:8), C (a.cpp:10)");
    free(written);
}

/* A region of thousands of statements, variables and names: to look through all of it for each line
 * takes minutes, in the proctor. */
TEST(long_region)
{
    enum { LINES = 30000, SECONDS = 20 };
    FREED_BY(strbuf_free) struct strbuf dump = STRBUF_INIT;
    strbuf_adds(&dump, "void f (int * C)\n{\n  [d/a.c:8:9] #pragma omp parallel shared(C)");
    for (int i = 0; i < LINES; i++)
        strbuf_addf(&dump, " private(v%d)", i);
    strbuf_adds(&dump, "\n    [d/a.c:8:9] {\n");
    for (int i = 0; i < LINES; i++)
        strbuf_addf(&dump,
                    "      int v%d.0;\n      [d/a.c:9:9] own[D.1] = 1;\n"
                    "      [d/a.c:9:9] *D.%d = 1;\n      [d/a.c:9:9] #pragma omp task if(1)\n",
                    i, i);
    strbuf_adds(&dump, "    }\n  int own[8];\n}\n");
    alarm(SECONDS);
    OWNED char *elements = shared_elements_read(dump.s), *variables = shared_writes_read(dump.s);
    alarm(0);
    assert_string_equal(elements, "");
    assert_string_equal(variables, "");
}

/* As gcc 12 writes them, without what does not matter. */
TEST(unwaited)
{
#define PARALLEL "{\n  [d/a.c:5:13] #pragma omp parallel shared(T)\n  {\n"
#define LOOP(line, clause)                                                                         \
    "    {\n      int k;\n      [d/a.c:" line ":17] #pragma omp for" clause                        \
    " private(k)\n      for (k = 0; k < K; k = k + 1)\n        {\n        }\n    }\n"
#define END "  }\n}\n"
    static const struct {
        const char *dump, *place;
    } table[] = {
        {PARALLEL LOOP("7", " nowait") LOOP("11", "") END, "a.c:7"},
        {PARALLEL LOOP("7", "") LOOP("11", " nowait") END, ""}, /* the end of the region waits */
        {PARALLEL LOOP("5", " nowait") LOOP("5", "") END, ""},  /* "parallel for" */
        {PARALLEL LOOP("7", "") END PARALLEL LOOP("9", " nowait") END PARALLEL LOOP("12", "") END,
         ""},
        {PARALLEL "    [d/a.c:7:17] #pragma omp sections nowait\n    {\n"
                  "      [d/a.c:8:9] #pragma omp section\n      {\n      }\n    }\n" END,
         ""},
        {PARALLEL "    [d/a.c:7:17] #pragma omp single nowait\n    {\n    }\n" LOOP("9", "") END,
         "a.c:7"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *place = shared_unwaited_read(table[i].dump);
        if (strcmp(place, table[i].place) != 0)
            fail_msg("row %zu: '%s'", i, place);
    }
}

TESTS(NULL, NULL)
