#include "rundir/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"

enum { LOG_MOST = 1 << 20 };

static const char mark[] = "stage: ";

void stage_enter(const char *words)
{
    fprintf(stderr, "%s%s\n", mark, words);
}

static bool is_stage(const char *line)
{
    return strncmp(line, mark, sizeof mark - 1) == 0;
}

bool stage_last(const char *log, char *out, size_t cap)
{
    char *text;
    out[0] = '\0';
    if (fs_read(log, LOG_MOST, &text, NULL, NULL) != 0)
        return false;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        if (is_stage(line))
            snprintf(out, cap, "%.*s", (int)(end - line - (long)sizeof mark + 1),
                     line + sizeof mark - 1);
    free(text);
    return out[0] != '\0';
}

void stage_remove_lines(char *text)
{
    char *to = text;
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
        if (!is_stage(line)) {
            memmove(to, line, whole);
            to += whole;
        }
        line += whole;
    }
    *to = '\0';
}
