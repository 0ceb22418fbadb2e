#include "build/gimple.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "[DIR/openmp.c:10:17] " before a statement; what follows it. */
static const char *skip_place(const char *line, char place[GIMPLE_PLACE])
{
    place[0] = '\0';
    while (*line == ' ')
        line++;
    const char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (!end || strcspn(line, "\n") < (size_t)(end - line))
        return line;
    const char *name = line + 1, *colon = end;
    for (const char *p = name; p < end; p++)
        if (*p == '/')
            name = p + 1;
    while (colon > name && *colon != ':')
        colon--;
    if (colon > name && colon - name < GIMPLE_PLACE)
        snprintf(place, GIMPLE_PLACE, "%.*s", (int)(colon - name), name);
    return end[1] == ' ' ? end + 2 : end + 1;
}

bool gimple_next(const char **at, struct gimple_line *line)
{
    const char *from = *at, *end = from + strcspn(from, "\n");
    if (!*from)
        return false;
    line->text = skip_place(from, line->place);
    line->length = line->text < end ? (size_t)(end - line->text) : 0;
    *at = *end ? end + 1 : end;
    return true;
}

bool gimple_is(const struct gimple_line *line, char c)
{
    return line->length == 1 && *line->text == c;
}

const char *gimple_find(const char *from, const char *end, const char *word)
{
    return from < end ? memmem(from, (size_t)(end - from), word, strlen(word)) : NULL;
}

bool gimple_starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

size_t gimple_name(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}
