/*
 * identifier.h - names that are safe as file name, argument and terminal output.
 *
 * Directories that students hand in may have names of any bytes: blanks, newlines, quotes, leading
 * dashes, no UTF-8. Such names become identifiers before they are used or printed.
 */
#ifndef BASE_IDENTIFIER_H
#define BASE_IDENTIFIER_H

#include <stdbool.h>

enum { IDENTIFIER_MAX = 120 }; /* bytes */

bool identifier_char(char c); /* letter, digit, '.', '_' or '-' */
/* Is it a usable identifier: 1 to IDENTIFIER_MAX of these characters, the first one neither '.' nor
 * '-'? */
bool identifier_ok(const char *id);
/* The identifier of a name: other bytes become %XX; a name that is too long is cut and gets a hash.
 * Equal names have equal identifiers. The caller frees it. */
char *identifier_encode(const char *name);
/* The same for each part of a path; the slashes stay. */
char *identifier_path(const char *path);

#endif
