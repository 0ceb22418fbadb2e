#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "build/source_line.h"

enum { LINE_MOST = 10000000 };

/* Copy a name up to a character of `end`. False when it is unknown, or not a name. */
static bool take_name(char out[SOURCE_NAME_MOST], const char *text, const char *end)
{
    const size_t n = strcspn(text, end);
    if (n == 0 || n >= SOURCE_NAME_MOST || text[0] == '?')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isprint((unsigned char)text[i]))
            return false;
    snprintf(out, SOURCE_NAME_MOST, "%.*s", (int)n, text);
    return true;
}

/* How much of a function's name is the name: in C++, parameters and "[clone ...]" follow it. */
static size_t name_length(const char *text, size_t n)
{
    size_t at = n;
    int depth = 0;
    while (at > 0 && text[at - 1] != ')')
        at--;
    for (; at > 0; at--) {
        depth += (text[at - 1] == ')') - (text[at - 1] == '(');
        if (depth == 0)
            return at > 1 ? at - 1 : n;
    }
    return n;
}

/* The name of a function, shortened if it is long. False as for take_name(). */
static bool take_function(char out[SOURCE_NAME_MOST], const char *text)
{
    static const char more[] = "...", clone[] = " [clone ";
    const size_t line = strcspn(text, "\n");
    char *name = xasprintf("%.*s", (int)line, text), *cloned = strstr(name, clone);
    if (cloned)
        *cloned = '\0';
    name[name_length(name, strlen(name))] = '\0';
    name[strcspn(name, ".")] = '\0'; /* C: row._omp_fn.0 */
    if (strlen(name) >= SOURCE_NAME_MOST)
        snprintf(name + SOURCE_NAME_MOST - sizeof more, sizeof more, "%s", more);
    const bool known = take_name(out, name, "");
    free(name);
    return known;
}

/* A frame: two lines. *own: its file lies below that directory. */
static bool read_frame(const char *function, const char *place, const char *dir,
                       struct source_line *out, bool *own)
{
    const size_t path = strcspn(place, ":\n"), n = strlen(dir);
    const char *file = place;
    char number[16];
    long long line;
    for (size_t i = 0; i < path; i++)
        if (place[i] == '/')
            file = place + i + 1;
    *own = place[0] != '/' || (strncmp(place, dir, n) == 0 && place[n] == '/');
    if (!take_function(out->function, function) || !take_name(out->file, file, ":\n"))
        return false;
    file += strlen(out->file);
    if (*file++ != ':')
        return false;
    snprintf(number, sizeof number, "%.*s", (int)strspn(file, "0123456789"), file);
    if (parse_int(number, 1, LINE_MOST, &line, NULL) != 0)
        return false;
    out->line = (int)line;
    return true;
}

static const char *next(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

bool source_line_read(const char *text, const char *own, struct source_line *out)
{
    bool known = false;
    while (*text) {
        struct source_line at;
        bool mine;
        if (strncmp(text, "0x", 2) == 0) { /* the address of the frames that follow */
            text = next(text);
            continue;
        }
        const char *place = next(text);
        if (read_frame(text, place, own, &at, &mine) && (mine || !known)) {
            *out = at;
            known = true;
            if (mine)
                break;
        }
        text = next(place);
    }
    return known;
}
