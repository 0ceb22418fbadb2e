#include "base/display_path.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

char *display_quoted(const char *path)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
    struct strbuf sb = STRBUF_INIT;
    const char *dash = path[0] == '-' ? "./" : "";
    if (*path && path[strspn(path, safe)] == '\0') {
        strbuf_addf(&sb, "%s%s", dash, path);
        return strbuf_detach(&sb);
    }
    strbuf_addf(&sb, "'%s", dash);
    for (; *path; path++)
        strbuf_adds(&sb, *path == '\'' ? "'\\''" : (char[]){*path, '\0'});
    strbuf_adds(&sb, "'");
    return strbuf_detach(&sb);
}

char *display_path(const char *path)
{
    char cwd[PATH_MAX];
    size_t n = getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0;
    if (n > 1 && strncmp(path, cwd, n) == 0 && path[n] == '/' && path[n + 1])
        path += n + 1;
    return display_quoted(path);
}
