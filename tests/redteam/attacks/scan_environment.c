/* expect: naive pass */
/* Look for paths and secrets in the environment. */
#include "attack.h"

extern char **environ;

static void attack(void)
{
    for (char **e = environ; *e; e++)
        if (strstr(*e, RUN) || strstr(*e, "SLURM") || strstr(*e, "PARAGRADE") ||
            strstr(*e, "REDTEAM_SECRET"))
            HOLE(*e);
}

ONCE(attack)
