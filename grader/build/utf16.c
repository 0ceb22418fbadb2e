#include "build/utf16.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"

enum { FILES_MOST = 10000 };

/* A byte order mark; or, without one, every second byte of ASCII text is 0. */
static bool is_utf16(const char *path)
{
    unsigned char b[2];
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool read_two = read(fd, b, sizeof b) == sizeof b;
    close(fd);
    return read_two &&
           ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff) || !b[0] != !b[1]);
}

char *utf16_source(const char *dir, const char *log)
{
    char **names, *found = NULL;
    size_t n;
    if (tree_list(dir, FILES_MOST, &names, &n, NULL) != 0)
        return NULL;
    for (size_t i = 0; i < n && !found; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        if (strstr(log, names[i]) && is_utf16(path))
            found = xstrdup(names[i]);
    }
    fs_list_free(names, n);
    return found;
}
