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
    static const char *const s[] = {".h",   ".hh",  ".hpp", ".hxx", ".inl",
                                    ".inc", ".tpp", ".cuh", ".isph"};
    return has_suffix(name, s, sizeof s / sizeof s[0]);
}

bool source_is_code(const char *name)
{
    static const char *const s[] = {".c",   ".C",   ".cpp", ".cc",  ".cxx",
                                    ".c++", ".CPP", ".cu",  ".ispc"};
    return has_suffix(name, s, sizeof s / sizeof s[0]);
}

bool source_is_archive(const char *name)
{
    static const char *const s[] = {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar"};
    return has_suffix(name, s, sizeof s / sizeof s[0]);
}

bool source_is_plain(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (*part == '-')
            return false;
    }
    return path[strspn(path, SOURCE_PLAIN "/")] == '\0';
}

bool source_is_inside(const char *path)
{
    for (const char *part = path;; part++) {
        if (!*part || *part == '/' || *part == '.')
            return false;
        part += strcspn(part, "/");
        if (!*part)
            return source_is_plain(path);
    }
}

bool source_is_adapter(const char *name)
{
    const size_t n = strlen(ADAPTER_NAME);
    return strncmp(name, ADAPTER_NAME, n) == 0 && name[n] == '.';
}
