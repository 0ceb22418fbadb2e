/* expect: naive pass */
/* Take back what the grader limited. */
#include "attack.h"
#include <sys/resource.h>

static void attack(void)
{
    static const int what[] = {RLIMIT_CORE, RLIMIT_FSIZE};
    struct rlimit r = {RLIM_INFINITY, RLIM_INFINITY};
    for (unsigned i = 0; i < 2; i++)
        if (setrlimit(what[i], &r) == 0)
            HOLE("a limit can be raised");
}

ONCE(attack)
