/* expect: naive pass */
/* Become another program. */
#include "attack.h"

static void attack(void)
{
    static char sh[] = "/bin/sh", c[] = "-c", command[] = "sleep 600";
    char *argv[] = {sh, c, command, NULL};
    raw(SYS_execve, (long)sh, (long)argv, 0, 0, 0, 0);
    raw(SYS_execveat, -100, (long)sh, (long)argv, 0, 0, 0);
}

ONCE(attack)
