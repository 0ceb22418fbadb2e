#include "build/missing_name.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* M_PI and the like belong to POSIX, and compilers that are told a standard of C hide them:
 * "'M_PI' undeclared", "use of undeclared identifier 'M_PI'". */
static bool is_hidden_constant(const char *message)
{
    static const char *const quotes[] = {"'M_", "‘M_", "\"M_"};
    bool named = false;
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++)
        named = named || strstr(message, quotes[i]);
    return named && (strstr(message, "undeclared") || strstr(message, "is undefined"));
}

/* The file of this name, in whatever directory, or NULL. */
static const char *elsewhere(const char *name, char *const *there,
                             int (*compare)(const char *, const char *))
{
    const size_t n = strlen(name);
    for (; *there; there++) {
        const size_t length = strlen(*there);
        if (length >= n && compare(*there + length - n, name) == 0 &&
            (length == n || (*there)[length - n - 1] == '/'))
            return *there;
    }
    return NULL;
}

/* The source of the message has the directory `from` in its name, with the slash, or none. */
static char *hint_of(const char *message, const char *name, const char *found)
{
    const int source = (int)strcspn(message, ":(");
    int from = source;
    while (from && message[from - 1] != '/')
        from--;
    OWNED char *beside = xasprintf("%.*s%s", from, message, name);
    if (strcmp(beside, found) == 0)
        return xasprintf("%s is there: write #include \"%s\"; compilers look for <%s> elsewhere",
                         found, name, name);
    return xasprintf("%s is there, but not beside %.*s: write its directory, too", found, source,
                     message);
}

char *missing_name_hint(const char *message, const char *own, char *const *there)
{
    char name[NAME_MOST];
    unsigned least = UINT_MAX;
    if (is_hidden_constant(message))
        return xstrdup("it is no part of standard C: begin the source with #define _GNU_SOURCE");
    if (!read_name(message, name))
        return NULL;
    const char *found = elsewhere(name, there, strcmp);
    if (found)
        return hint_of(message, name, found);
    found = elsewhere(name, there, strcasecmp);
    if (found)
        return xasprintf("%s is there: upper and lower case matter", found);
    if (strcmp(name, own) != 0 && similar_more(name, own, &least))
        return xasprintf("did you mean %s?", own);
    return xasprintf(
        "the header of this exercise is %s; hand in your own headers beside the source", own);
}
