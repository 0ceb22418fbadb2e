/* Copies of threads that are lost, from what gcc prints of a function. */
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "build/lost_writes.h"

#define REGION(clauses, inside)                                                                    \
    "int f (int n)\n[d/a.c:3:1] {\n  int sum;\n  [d/a.c:4:9] sum = 0;\n"                           \
    "  [d/a.c:5:9] #pragma omp parallel " clauses " shared(n)\n    [d/a.c:5:9] {\n"                \
    "      int D.1;\n" inside "    }\n"
#define SET "      [d/a.c:7:5] sum = D.1 + sum;\n"
#define RETURN "  [d/a.c:8:3] D.2 = sum;\n  [d/a.c:8:3] return D.2;\n}\n"

TEST(reads)
{
    static const struct {
        const char *dump;
        bool lost;
    } table[] = {
        {"", false},
        {"}\n}\n#pragma omp parallel private(\n{", false},
        {REGION("firstprivate(sum)", SET) RETURN, true},
        {REGION("private(sum)", SET) RETURN, true},
        {REGION("private(sum)",
                SET) "  [d/a.c:8:3] if (sum != 0) goto <D.1>; else goto <D.2>;\n}\n",
         true},
        {REGION("private(sum)", SET) "  [d/a.c:8:3] sum = sum + 1;\n}\n", true},
        {REGION("shared(sum)", SET) RETURN, false},
        {REGION("reduction(+:sum)", SET) RETURN, false},
        {REGION("firstprivate(sum) lastprivate(sum)", SET) RETURN, false},
        {REGION("private(sum)", "      [d/a.c:6:5] #pragma omp for lastprivate(sum)\n" SET) RETURN,
         false},
        {REGION("private(sum)", "      [d/a.c:7:5] D.1 = sum;\n") RETURN, false},
        {REGION("private(sum)", "      int sum;\n" SET) RETURN, false},
        {REGION("private(sum)", SET) "  [d/a.c:8:3] sum = 1;\n" RETURN, false},
        {REGION("private(sum)", SET) "  [d/a.c:8:3] g (&sum);\n" RETURN, false},
        {REGION("private(sum)", SET) "  [d/a.c:8:3] D.2 = s.sum;\n  [d/a.c:8:3] return sums;\n}\n",
         false},
        {REGION("private(sum)", SET) "}\n\nint g ()\n{\n" RETURN, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *said = lost_writes_read(table[i].dump);
        if (strcmp(said, table[i].lost
                             ? "sum is set in copies of threads (a.c:7), which are lost: it is as "
                               "before where it is read (a.c:8). reduction(...) adds copies"
                             : "") != 0)
            fail_msg("%zu: '%s'", i, said);
        free(said);
    }
}

TESTS(NULL, NULL)
