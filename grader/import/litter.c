#include "import/litter.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_name(const char *part, size_t n)
{
    static const char *const names[] = {"__MACOSX",
                                        ".DS_Store",
                                        ".AppleDouble",
                                        ".Spotlight-V100",
                                        ".Trashes",
                                        ".fseventsd",
                                        "Thumbs.db",
                                        "ehthumbs.db",
                                        "desktop.ini",
                                        "$RECYCLE.BIN",
                                        "System Volume Information"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (n == strlen(names[i]) && strncasecmp(part, names[i], n) == 0)
            return true;
    return n > 2 && strncmp(part, "._", 2) == 0; /* the second half of a file of macOS */
}

bool litter_is(const char *path)
{
    while (*path) {
        const size_t n = strcspn(path, "/");
        if (is_name(path, n))
            return true;
        path += n;
        path += *path == '/';
    }
    return false;
}
