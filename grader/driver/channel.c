#include "driver/channel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int proctor = -1;

static void fail(const char *what)
{
    fprintf(stderr, "paragrade driver: %s: %s\n", what, strerror(errno));
    exit(70);
}

bool channel_try(const void *m, size_t n)
{
    return send(proctor, m, n, MSG_NOSIGNAL) >= 0;
}

void channel_send(const void *m, size_t n)
{
    if (!channel_try(m, n))
        fail("send");
}

void channel_status(enum pg_type type, const char *text)
{
    struct pg_status s = {.type = type};
    snprintf(s.text, sizeof s.text, "%s", text);
    channel_send(&s, sizeof s);
}

void channel_join(int rank)
{
    const char *path = getenv(PG_ENV_SOCKET), *token = getenv(PG_ENV_TOKEN);
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (!path || !token || strlen(path) >= sizeof addr.sun_path) {
        fputs("paragrade driver: only the proctor starts this program\n", stderr);
        exit(64);
    }
    memcpy(addr.sun_path, path, strlen(path) + 1);
    proctor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (proctor < 0 || connect(proctor, (struct sockaddr *)&addr, sizeof addr) != 0)
        fail("connect");
    struct pg_hello h = {.type = PG_HELLO, .version = PG_VERSION, .rank = rank};
    snprintf(h.token, sizeof h.token, "%s", token);
    channel_send(&h, sizeof h);
    unsetenv(PG_ENV_SOCKET);
    unsetenv(PG_ENV_TOKEN);
}

/* How often a message is looked for that comes at once: some milliseconds. To sleep and wake up
 * takes longer than some kernels. */
enum { LOOKS = 20000 };

ssize_t channel_receive(union channel_message *m, int *fds, unsigned *fd_count, bool at_once)
{
    int looks = at_once ? LOOKS : 0;
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int) * (PG_MAX_INPUTS + 1))];
    } control;
    struct iovec io = {m, sizeof *m};
    struct msghdr h = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    do
        n = recvmsg(proctor, &h, MSG_CMSG_CLOEXEC | (looks > 0 ? MSG_DONTWAIT : 0));
    while (n < 0 && (errno == EINTR || (errno == EAGAIN && looks-- > 0)));
    *fd_count = 0;
    if (n <= 0)
        return 0;
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    if (c && c->cmsg_type == SCM_RIGHTS) {
        *fd_count = (unsigned)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(c), *fd_count * sizeof(int));
    }
    return n;
}
