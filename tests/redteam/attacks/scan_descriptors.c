/* expect: naive pass */
/* Look for descriptors that were left open: matrices, results, logs. */
#include "attack.h"

static void attack(void)
{
    int sockets = 0;
    for (int fd = 0; fd < 1024; fd++) {
        struct stat st;
        if (fstat(fd, &st) != 0)
            continue;
        if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
            HOLE("a file is open");
        sockets += S_ISSOCK(st.st_mode);
    }
    if (sockets > 1)
        HOLE("more than one socket is open");
}

ONCE(attack)
