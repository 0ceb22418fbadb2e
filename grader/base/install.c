#include "base/install.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

char *install_path(const char *part)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        n = 0;
    self[n] = '\0';
    for (char *slash = strrchr(self, '/'); slash; slash = strrchr(self, '/')) {
        *slash = '\0';
        OWNED char *mark = xasprintf("%s/libexec/paragrade", self);
        bool here = fs_is_dir(mark);
        if (here)
            break;
    }
    return xasprintf("%s/%s", self, part);
}

enum { LEVELS = 3 }; /* build/, build/san/: the source tree is at most so far up */

char *install_share(const char *part)
{
    OWNED char *rel = xasprintf("share/paragrade/%s", part);
    char *path = install_path(rel);
    if (fs_exists(path))
        return path;
    free(path);
    OWNED char *dir = install_path("");
    for (int i = 0; i < LEVELS; i++) {
        size_t n = strlen(dir);
        while (n > 1 && dir[n - 1] == '/')
            dir[--n] = '\0';
        char *slash = strrchr(dir, '/');
        if (!slash || slash == dir)
            break;
        slash[1] = '\0';
        path = xasprintf("%s%s", dir, part);
        if (fs_exists(path))
            return path;
        free(path);
    }
    return NULL;
}
