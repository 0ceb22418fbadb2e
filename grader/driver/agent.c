/*
 * agent - what mpirun calls in the place of ssh:
 *
 *   agent [OPTION...] NODE WORD...
 *
 * Options are those of ssh, without values, such as Hydra's -x. They mean nothing here.
 * It asks the proctor, by the socket in PARAGRADE_AGENT, to start the words on the node. It ends
 * when that is done: status 0. The words are for a shell, as those of ssh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "abi/protocol.h"

static char asked[PG_AGENT_MOST];

/* "NODE\0WORD WORD ...\0"; its length, or 0: it is too long. */
static size_t join(int argc, char **argv)
{
    size_t used = 0;
    for (int i = 1; i < argc; i++) {
        const size_t n = strlen(argv[i]);
        if (used + n + 1 > sizeof asked)
            return 0;
        memcpy(asked + used, argv[i], n);
        used += n;
        asked[used++] = i > 1 && i + 1 < argc ? ' ' : '\0';
    }
    return used;
}

int main(int argc, char **argv)
{
    for (; argc > 1 && argv[1][0] == '-'; argc--)
        argv++;
    const char *path = getenv(PG_ENV_AGENT);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    char answer;
    if (!path || strlen(path) >= sizeof a.sun_path || argc < 3) {
        fputs("paragrade agent: only the launcher of a driver starts this program\n", stderr);
        return 64;
    }
    memcpy(a.sun_path, path, strlen(path) + 1);
    const size_t size = join(argc, argv);
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const int ok = size && fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
                   send(fd, asked, size, MSG_NOSIGNAL) == (ssize_t)size &&
                   recv(fd, &answer, 1, 0) == 1;
    if (!ok)
        fprintf(stderr, "paragrade agent: nothing was started on node %s\n", argv[1]);
    return ok ? 0 : 1;
}
