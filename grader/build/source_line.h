/*
 * source_line.h - the line of the source that an instruction of a built library comes from. It
 * helps a student to find a crash; nothing is decided by it.
 */
#ifndef BUILD_SOURCE_LINE_H
#define BUILD_SOURCE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/sandbox.h"

enum { SOURCE_NAME_MOST = 64 };

struct source_line {
    char function[SOURCE_NAME_MOST];
    char file[SOURCE_NAME_MOST]; /* without directories */
    int line;
};

/* True when the code of two libraries is the same, byte by byte, at the same addresses. Debugging
 * information does not count. */
bool source_line_same_code(const char *library, const char *other);

/* Read what addr2line -a -i -f prints, any bytes: for each address "0x...", and for each function
 * that was inlined there and the one that it is in "FUNCTION\nFILE:LINE ...". Takes the first frame
 * whose file lies below the directory `own`, or has a relative path: the innermost line that the
 * student wrote, not one of a header. If there is none, the first frame. Parameters, gcc's
 * ".constprop.0" and the like are left out of names, and long names are shortened. False when it
 * does not know, or when a name is none. */
bool source_line_read(const char *text, const char *own, struct source_line *out);

/* Ask addr2line for `n` places that belong to one fault, or fewer with UINT64_MAX after the last
 * one. `dir`: the directory of the library and its sources, and all that the tool may read of the
 * student's. False when there is no such tool, or it does not know. */
bool source_line_find(const struct sandbox_policy *policy, const char *dir, const char *library,
                      const uint64_t *place, int n, struct source_line *out);

#endif
