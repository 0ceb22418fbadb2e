/* Variables that change while OpenMP tasks that share them may still have to run. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "build/task_variables.h"

/* for (i = 0; i < M; i++) in a region with one thread: TASK, then BETWEEN. */
#define LOOP(clauses, use, between)                                                                \
    "void f ()\n{\n  int i;\n"                                                                     \
    "  [a.c:1:9] #pragma omp parallel shared(i) shared(M)\n    {\n"                                \
    "      [a.c:2:9] #pragma omp single\n        {\n"                                              \
    "          [a.c:3:12] i = 0;\n          goto <D.2>;\n          <D.1>:\n"                       \
    "          [a.c:4:9] #pragma omp task " clauses "\n            {\n"                            \
    "              [a.c:5:9] " use "\n            }\n" between                                     \
    "          [a.c:3:25] i = i + 1;\n          <D.2>:\n"                                          \
    "          [a.c:3:19] if (i < M) goto <D.1>; else goto <D.3>;\n          <D.3>:\n"             \
    "        }\n    }\n}\n"

TEST(reads)
{
    static const struct {
        const char *dump, *begins;
    } table[] = {
        {"", ""},
        {"}\n}\n#pragma omp task shared(x)\n", ""},
        {LOOP("shared(i) shared(M)", "D.1 = i * M;", ""),
         "a.c:3: i changes here, but tasks of a.c:4 share it"},
        {LOOP("shared(i)", "D.1 = i;", "          [a.c:6:1] {\n            x = 1;\n          }\n"),
         "a.c:3: i changes here"},
        {LOOP("firstprivate(i) shared(M)", "D.1 = i * M;", ""), ""},
        {LOOP("shared(i)", "D.1 = ii;", ""), ""}, /* not used */
        /* what may wait */
        {LOOP("shared(i)", "D.1 = i;", "          [a.c:6:1] __builtin_GOMP_taskwait ();\n"), ""},
        {LOOP("shared(i)", "D.1 = i;", "          [a.c:6:1] D.2 = own_wait (M);\n"), ""},
        {LOOP("shared(i)", "D.1 = i;", "          [a.c:6:1] goto <D.9>;\n"), ""},
        {LOOP("shared(i)", "D.1 = i;", "          [a.c:6:1] #pragma omp critical\n"), ""},
        {LOOP("shared(i) if(0)", "D.1 = i;", ""), ""},
        {LOOP("shared(i) depend(in:x)", "D.1 = i;", ""), ""},
        /* all of a single's tasks are done when it ends */
        {"{\n  #pragma omp parallel shared(x)\n    {\n"
         "      #pragma omp single\n        {\n"
         "          [a.c:4:9] #pragma omp task shared(x)\n            {\n"
         "              D.1 = x;\n            }\n        }\n"
         "      [a.c:6:9] x = 1;\n    }\n}\n",
         ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *said = task_variables_read(table[i].dump);
        if (strncmp(said, table[i].begins, strlen(table[i].begins)) != 0 ||
            (*said && !*table[i].begins))
            fail_msg("row %zu: '%s'", i, said);
    }
}

/* Thousands of tasks: to look to the end of the text for each takes minutes, in the proctor. */
TEST(many_tasks)
{
    enum { TASKS = 50000, SECONDS = 20 };
    FREED_BY(strbuf_free) struct strbuf dump = STRBUF_INIT;
    strbuf_adds(&dump, "{\n");
    for (int i = 0; i < TASKS; i++)
        strbuf_adds(&dump,
                    "  [a.c:4:9] #pragma omp task default(none)\n    {\n      D.1 = x;\n    }\n");
    strbuf_adds(&dump, "}\n");
    alarm(SECONDS);
    OWNED char *said = task_variables_read(dump.s);
    alarm(0);
    assert_string_equal(said, "");
}

TESTS(NULL, NULL)
