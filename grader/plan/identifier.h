/*
 * identifier.h - names that are safe as file name, argument and terminal output.
 *
 * What students hand in has names of any bytes: blanks, newlines, quotes, leading dashes, no UTF-8.
 * They become identifiers before they are used or printed.
 */
#ifndef PLAN_IDENTIFIER_H
#define PLAN_IDENTIFIER_H

#include <stdbool.h>

enum { IDENTIFIER_MAX = 120 }; /* bytes */

bool identifier_char(char c); /* letter, digit, '.', '_' or '-' */
/* Neither empty nor too long, nothing but those, neither a hidden file nor an option. */
bool identifier_ok(const char *id);
/* The same for equal names, readable for those that are nearly fine: other bytes become %XX; what
 * is too long is cut and gets a hash. The caller frees it. */
char *identifier_encode(const char *name);

#endif
