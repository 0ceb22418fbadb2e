#include "build/missing_header.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "base/strbuf.h"

enum { NAME_MOST = 80 };

/* "naive.c:1:10: fatal error: paragrad.h: No such file or directory", "'paragrad.h' file not
 * found", "cannot open source file "paragrad.h"". */
static const struct form {
    const char *before, *after;
} forms[] = {
    {"fatal error: ", ": No such file or directory"},
    {"fatal error: '", "' file not found"},
    {"cannot open source file \"", "\""},
};

static bool read_name(const char *message, char name[NAME_MOST])
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *from = strstr(message, forms[i].before);
        from = from ? from + strlen(forms[i].before) : "";
        const char *to = strstr(from, forms[i].after);
        if (!to || to == from || to - from >= NAME_MOST)
            continue;
        snprintf(name, NAME_MOST, "%.*s", (int)(to - from), from);
        return true;
    }
    return false;
}

char *missing_header_hint(const char *message, const char *own)
{
    char name[NAME_MOST];
    unsigned least = UINT_MAX;
    if (!read_name(message, name))
        return NULL;
    if (strcmp(name, own) != 0 && similar_more(name, own, &least))
        return xasprintf("did you mean %s?", own);
    return xasprintf(
        "the header of this exercise is %s; hand in your own headers beside the source", own);
}
