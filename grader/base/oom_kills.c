#include "base/oom_kills.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t oom_kills_in(const char *vmstat)
{
    static const char name[] = "oom_kill ";
    for (const char *line = vmstat; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, sizeof name - 1) == 0)
            return strtoull(line + sizeof name - 1, NULL, 10);
    }
    return OOM_KILLS_UNKNOWN;
}

uint64_t oom_kills(void)
{
    char text[16384];
    FILE *f = fopen("/proc/vmstat", "re");
    if (!f)
        return OOM_KILLS_UNKNOWN;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return oom_kills_in(text);
}
