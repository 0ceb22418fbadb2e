/*
 * timestamp.h - a moment as people and platforms write it (RFC 3339).
 */
#ifndef BASE_TIMESTAMP_H
#define BASE_TIMESTAMP_H

#include <stdint.h>

#include "base/err.h"

enum { TIMESTAMP_TEXT = 32 }; /* bytes of a moment as text, with NUL */

/* "2026-03-12T23:59:00+01:00" -> seconds since 1970. The T may be a blank. Seconds may be missing;
 * fractions of them are dropped. Without an offset, it is the local time of this machine. */
int timestamp_parse(const char *s, int64_t *seconds, struct err *e);
/* In UTC: "2026-03-12T22:59:00Z". */
void timestamp_format(int64_t seconds, char out[TIMESTAMP_TEXT]);

#endif
