/*
 * gimple.h - the lines that gcc prints of a function with GIMPLE_OPTION. Pure.
 */
#ifndef BUILD_GIMPLE_H
#define BUILD_GIMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* The option of gcc, which then writes a file for each source beside the library, or where it was
 * started; the names end so. */
#define GIMPLE_OPTION "-fdump-tree-gimple-lineno"
#define GIMPLE_FILE ".gimple"

enum { GIMPLE_PLACE = 80 };

struct gimple_line {
    const char *text; /* without blanks and the place before it; not terminated */
    size_t length;
    char place[GIMPLE_PLACE]; /* "openmp.c:10"; "" when there is none */
};

/* The next line from *at on, which moves behind it. False at the end. */
bool gimple_next(const char **at, struct gimple_line *line);

/* Is it this and nothing else: "{"? */
bool gimple_is(const struct gimple_line *line, char c);
bool gimple_starts(const char *text, const char *word);
/* The word between two places, NULL: it is not there. (strstr() would look to the end of the text.)
 */
const char *gimple_find(const char *from, const char *end, const char *word);

/* How many characters of a name are there, 0 when none begins. */
size_t gimple_name(const char *text);

#endif
