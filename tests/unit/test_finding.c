/* What is said of a wrong result: the place, unless it is chance, and the cause. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "measure/harness_check.h"

TEST(names_place_and_cause)
{
    static const char rank[] = "only rows that rank 1 of 2 has";
    static const struct {
        const char *pattern, *says, *says_not;
        enum cause cause;
    } table[] = {
        {rank, ": only rows that rank 1 of 2 has", ": a race", CAUSE_NONE},
        {rank, ": only rows that rank 1 of 2 has; memory is used that was never set", "\n",
         CAUSE_UNSET_MEMORY},
        {rank, ": only rows that rank 1 of 2 has; the first call in a new process is right", "\n",
         CAUSE_LATER_CALLS},
        {rank, ": only rows that rank 1 of 2 has; alone in a new process", "\n",
         CAUSE_EARLIER_CALLS},
        {rank, ": a race", "only rows", CAUSE_RACE}, /* which rows is chance */
        {"row 3; never written", ": what the output held", "never written", CAUSE_OLD_OUTPUT},
        {"every element; never written", "wrong: memory is used", "every element",
         CAUSE_UNSET_MEMORY},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct finding f = FINDING_INIT;
        f.mismatch.present = true;
        snprintf(f.mismatch.element, sizeof f.mismatch.element, "C[0][0]");
        snprintf(f.mismatch.expected, sizeof f.mismatch.expected, "1");
        snprintf(f.mismatch.got, sizeof f.mismatch.got, "2");
        f.mismatch.wrong = f.mismatch.total = 9;
        snprintf(f.mismatch.pattern, sizeof f.mismatch.pattern, "%s", table[i].pattern);
        f.cause = table[i].cause;
        finding_describe(&f);
        if (!strstr(f.message, table[i].says) || strstr(f.message, table[i].says_not))
            fail_msg("row %zu: %s", i, f.message);
    }
}

TESTS(NULL, NULL)
