#include "supervise/priority.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

void priority_set(int nice)
{
    if (getpriority(PRIO_PROCESS, 0) > PRIORITY_USUAL)
        return;
    setpriority(PRIO_PROCESS, 0, nice);
    int fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t ignored = nice == PRIORITY_TIMED ? write(fd, "-20", 3) : write(fd, "0", 1);
    (void)ignored;
    close(fd);
}
