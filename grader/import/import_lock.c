#include "import/import_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fsio.h"

int import_lock(const char *to, struct err *e)
{
    if (fs_mkdirs(to, e) != 0)
        return -1;
    const int fd = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_system(e, "%s: %s", to, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return fd;
    close(fd);
    return err_input(e, "%s: another import writes to it; wait until it has ended", to);
}
