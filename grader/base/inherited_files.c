#include "base/inherited_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void inherited_files_keep(void)
{
    DIR *d = opendir("/proc/self/fd");
    for (struct dirent *e; d && (e = readdir(d));) {
        const int fd = atoi(e->d_name); /* "." and "..": 0 */
        if (fd > STDERR_FILENO)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    if (d)
        closedir(d);
}
