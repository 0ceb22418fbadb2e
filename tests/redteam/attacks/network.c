/* expect: naive pass */
/* Let another machine compute. */
#include "attack.h"
#include <sys/socket.h>

static void attack(void)
{
    static const int families[] = {AF_UNIX,   AF_INET,  AF_INET6, AF_NETLINK,
                                   AF_PACKET, AF_VSOCK, 38 /* AF_ALG */};
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
        if (raw(SYS_socket, families[i], SOCK_DGRAM, 0, 0, 0, 0) >= 0 ||
            raw(SYS_socket, families[i], SOCK_STREAM, 0, 0, 0, 0) >= 0 ||
            raw(SYS_socket, families[i], SOCK_SEQPACKET, 0, 0, 0, 0) >= 0)
            HOLE("a socket");
}

ONCE(attack)
