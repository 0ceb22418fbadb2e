#include "supervise/node_message.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "base/strbuf.h"

/* A proctor that does not answer for so long is gone, or its node is. */
enum { SEND_LIMIT_S = 60 };

void node_connection_set(int fd)
{
    const int on = 1;
    const struct timeval limit = {.tv_sec = SEND_LIMIT_S};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static int send_all(int fd, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    while (n) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        at += sent;
        n -= (size_t)sent;
    }
    return 0;
}

int node_send(int fd, enum node_question type, const void *first, size_t first_size,
              const void *second, size_t second_size)
{
    const size_t size = first_size + second_size;
    if (size > NODE_BYTES_MOST)
        return -1;
    struct {
        uint32_t type, size;
        unsigned char first[sizeof(struct node_answer)]; /* in one packet with the head */
    } head = {.type = type, .size = (uint32_t)size};
    const size_t with = first_size <= sizeof head.first ? first_size : 0;
    if (with)
        memcpy(head.first, first, with);
    if (send_all(fd, &head, sizeof head - sizeof head.first + with) != 0)
        return -1;
    if (!with && first_size && send_all(fd, first, first_size) != 0)
        return -1;
    return second_size ? send_all(fd, second, second_size) : 0;
}

static int receive_all(int fd, void *bytes, size_t n, uint64_t deadline)
{
    unsigned char *at = bytes;
    while (n) {
        const uint64_t now = clock_mono_ns();
        struct pollfd p = {fd, POLLIN, 0};
        if (now >= deadline)
            return -1;
        const uint64_t ms = (deadline - now) / 1000000 + 1;
        if (poll(&p, 1, ms < INT32_MAX ? (int)ms : INT32_MAX) <= 0)
            continue;
        const ssize_t got = recv(fd, at, n, MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return -1;
        at += got;
        n -= (size_t)got;
    }
    return 0;
}

int node_receive(int fd, struct node_message *m, uint64_t deadline)
{
    uint32_t head[2];
    *m = (struct node_message){0};
    if (receive_all(fd, head, sizeof head, deadline) != 0 || head[1] > NODE_BYTES_MOST)
        return -1;
    m->type = head[0];
    m->size = head[1];
    m->bytes = xcalloc((size_t)m->size + 1, 1); /* texts end with a 0 */
    if (receive_all(fd, m->bytes, m->size, deadline) == 0)
        return 0;
    free(m->bytes);
    m->bytes = NULL;
    return -1;
}
