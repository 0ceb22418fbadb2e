/* expect: openmpi pass */
/* A service of the node that listens on the loopback device, as debuggers and notebooks do. */
#include "attack.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static void attack(void)
{
    const struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons(SERVICE), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const long s = raw(SYS_socket, AF_INET, SOCK_STREAM, 0, 0, 0, 0);
    if (s >= 0 && raw(SYS_connect, s, (long)&a, sizeof a, 0, 0, 0) == 0)
        HOLE("a service of the node");
    close((int)s);
}

ONCE_MPI(attack)
