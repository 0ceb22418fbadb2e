/* expect: naive pass */
/* Each descriptor may stand for memory of the kernel that nobody counts: buffers of sockets and
 * pipes, other things that the filter may come to allow. */
#include "attack.h"

static void attack(void)
{
    int fd[102], n = 0;
    while (n < 100 && raw(SYS_socketpair, 1, 1, 0, (long)&fd[n], 0, 0) == 0)
        n += 2;
    while (n < 100 && raw(SYS_pipe2, (long)&fd[n], 0, 0, 0, 0, 0) == 0)
        n += 2;
    while (n < 100 && (fd[n] = open("/dev/null", O_RDONLY)) >= 0)
        n++;
    if (n >= 100)
        HOLE("a hundred descriptors");
    while (n > 0)
        close(fd[--n]);
}

ONCE(attack)
