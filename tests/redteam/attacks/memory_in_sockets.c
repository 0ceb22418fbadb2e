/* expect: naive pass|out-of-memory */
/* Memory that is the kernel's: what was sent to sockets and not yet received. */
#include "attack.h"
#include <sys/socket.h>

enum { MUCH = 400 << 20 };

static void attack(void)
{
    static char data[65536];
    size_t held = 0;
    int pair[2];
    while (held < MUCH && raw(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (long)pair, 0, 0) == 0) {
        long n, most = 64 << 20;
        raw(SYS_setsockopt, pair[0], SOL_SOCKET, SO_SNDBUF, (long)&most, 4, 0);
        while ((n = raw(SYS_sendto, pair[0], (long)data, sizeof data, MSG_DONTWAIT, 0, 0)) > 0)
            held += (size_t)n;
    }
    if (held < MUCH)
        return;
    usleep(300000);
    HOLE("memory in sockets that is not counted");
}

ONCE(attack)
