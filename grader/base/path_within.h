/* path_within.h - which paths lie below a directory, by their text. */
#ifndef BASE_PATH_WITHIN_H
#define BASE_PATH_WITHIN_H

#include <stdbool.h>
#include <string.h>

/* True when `path` is `dir` or lies below it. Both are absolute, without "..". */
static inline bool path_within(const char *dir, const char *path)
{
    const size_t n = strcmp(dir, "/") == 0 ? 0 : strlen(dir);
    return strncmp(dir, path, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

#endif
