/* expect: naive pass */
/* Keep results for the next process: files, queues, sockets without a name. */
#include "attack.h"
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Ranks of one start share what they write to /dev/shm: it must be gone when they have ended. Their
 * parent tells one start from another. */
static bool of_another_start(const char *path)
{
    const pid_t now = getppid();
    pid_t then = now;
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0)
        return false;
    if (read(fd, &then, sizeof then) != sizeof then)
        (void)!pwrite(fd, &now, sizeof now, 0);
    close(fd);
    return then != now;
}

static void attack(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0redteam"};
    static const char name[] = "redteam";
    int fd = open("/tmp/redteam-cache", O_RDWR | O_CREAT, 0600);
    if (fd >= 0 || of_another_start("/dev/shm/redteam-cache"))
        HOLE("a file outlives the process");
    fd = (int)raw(SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0, 0, 0);
    if (fd >= 0 && raw(SYS_bind, fd, (long)&a, sizeof a, 0, 0, 0) == 0)
        HOLE("an abstract socket");
    if (raw(SYS_shmget, 4711, 4096, 0600 | 01000, 0, 0, 0) >= 0 ||
        raw(SYS_msgget, 4711, 0600 | 01000, 0, 0, 0, 0) >= 0 ||
        raw(SYS_semget, 4711, 1, 0600 | 01000, 0, 0, 0) >= 0)
        HOLE("System V");
    if (raw(SYS_mq_open, (long)name, O_RDWR | O_CREAT, 0600, 0, 0, 0) >= 0)
        HOLE("a message queue");
    if (raw(SYS_add_key, (long)"user", (long)name, (long)"x", 1, -4, 0) >= 0)
        HOLE("a key");
}

ONCE(attack)
