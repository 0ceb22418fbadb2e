/* Ranks over several nodes have sockets of the network. Use one again: go from there to a service
 * of the node, in every way that TCP knows, or let others come. Then the sockets to the other
 * ranks, which are lost. */
#include "attack.h"
#include <arpa/inet.h>
#include <sys/socket.h>

/* What MPI prints of its lost sockets would hide a later word. */
#define FOUND(what)                                                                                \
    do {                                                                                           \
        HOLE(what);                                                                                \
        usleep(200000);                                                                            \
        _exit(3);                                                                                  \
    } while (0)

static struct sockaddr_in service(void)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(SERVICE), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static int of_network(int fd)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    return getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
           (a.ss_family == AF_INET || a.ss_family == AF_INET6);
}

static int listens(int fd)
{
    int yes = 0;
    socklen_t n = sizeof yes;
    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n);
    return yes;
}

/* Sockets of MPI do not wait. */
static int reached(int fd)
{
    struct sockaddr_in a = {0};
    socklen_t n = sizeof a;
    for (int i = 0; i < 5; i++, usleep(10000))
        if (getpeername(fd, (struct sockaddr *)&a, &n) == 0)
            return ntohs(a.sin_port) == SERVICE;
    return 0;
}

static void leave_and_go(int fd)
{
    const struct sockaddr_in a = service(), none = {.sin_family = AF_UNSPEC};
    char byte = 'x';
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_name = (void *)&a, .msg_namelen = sizeof a, .msg_iov = &v, .msg_iovlen = 1};
    raw(SYS_shutdown, fd, SHUT_RDWR, 0, 0, 0, 0); /* who listened is closed now */
    raw(SYS_sendto, fd, (long)&byte, 1, MSG_FASTOPEN | MSG_NOSIGNAL, (long)&a, sizeof a);
    if (reached(fd))
        FOUND("a service of the node by sendto");
    raw(SYS_sendmsg, fd, (long)&m, MSG_FASTOPEN | MSG_NOSIGNAL, 0, 0, 0);
    if (reached(fd))
        FOUND("a service of the node by sendmsg");
    raw(SYS_connect, fd, (long)&none, sizeof none, 0, 0, 0);
    raw(SYS_connect, fd, (long)&a, sizeof a, 0, 0, 0);
    if (reached(fd))
        FOUND("a service of the node by connect");
}

static void attack(void)
{
    for (int connected = 0; connected < 2; connected++)
        for (int fd = 3; fd < 256; fd++) {
            if (!of_network(fd) || listens(fd) == connected)
                continue;
            if (raw(SYS_bind, fd, 0, 0, 0, 0, 0) != -EPERM)
                FOUND("bind");
            if (raw(SYS_listen, fd, 9, 0, 0, 0, 0) != -EPERM)
                FOUND("others may come");
            leave_and_go(fd);
        }
}

ONCE_MPI(attack)
