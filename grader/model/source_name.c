#include "model/source_name.h"

#include <stddef.h>
#include <string.h>

static bool has_suffix(const char *name, const char *const *suffixes, size_t n)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < n; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

bool source_is_cxx(const char *name)
{
    static const char *const s[] = {".cpp", ".cc", ".cxx"};
    return has_suffix(name, s, sizeof s / sizeof s[0]);
}

bool source_is_header(const char *name)
{
    static const char *const s[] = {".h", ".hpp", ".cuh"};
    return has_suffix(name, s, sizeof s / sizeof s[0]);
}
