#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
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

bool source_line_read(const char *text, struct source_line *out)
{
    const size_t first = strcspn(text, "\n");
    const char *place = text + first + (text[first] == '\n');
    long long line;
    char number[16];
    if (!take_name(out->function, text, ".\n") || !take_name(out->file, place, ":\n"))
        return false;
    place += strlen(out->file);
    if (*place++ != ':')
        return false;
    snprintf(number, sizeof number, "%.*s", (int)strspn(place, "0123456789"), place);
    if (parse_int(number, 1, LINE_MOST, &line, NULL) != 0)
        return false;
    out->line = (int)line;
    return true;
}
