/* expect: mpi pass */
/* MPI needs the internet's sockets. Any other kind reaches the host of a virtual machine, the
 * kernel's cipher code, daemons, or what is old and seldom looked at. */
#include "attack.h"
#include <sys/socket.h>

static void attack(void)
{
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_RAW};
    char what[64];
    int pair[2];
    for (int family = 0; family <= 45; family++)
        for (int i = 0; i < 4 && family != AF_INET && family != AF_INET6; i++) {
            long fd = raw(SYS_socket, family, types[i], 0, 0, 0, 0);
            if (fd < 0)
                continue;
            snprintf(what, sizeof what, "a socket of family %d, type %d", family, types[i]);
            HOLE(what);
            close((int)fd);
        }
    for (int i = 0; i < 3; i++)
        if (raw(SYS_socketpair, AF_UNIX, types[i], 0, (long)pair, 0, 0) == 0)
            HOLE("socketpair");
}

ONCE_MPI(attack)
