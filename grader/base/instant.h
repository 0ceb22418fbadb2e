/* instant.h - a moment, in seconds since 1970 in UTC, as people write it: RFC 3339. */
#ifndef BASE_INSTANT_H
#define BASE_INSTANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define INSTANT_TEXT 40

enum { SECONDS_A_DAY = 86400 };

/* "2026-11-30T23:59:00+01:00", "2026-11-30T22:59:00Z". The offset is required; a blank may stand
 * for the T and in front of the offset, and the seconds may be missing. Fractions of seconds are
 * cut off. */
int instant_parse(const char *text, int64_t *out, struct err *e);
/* The same; without an offset, it is the local time of this machine. */
int instant_parse_local(const char *text, int64_t *out, struct err *e);
/* Can it be written so? Only the years 0000 to 9999 can, in UTC; file systems hold other times. */
bool instant_is_writable(int64_t t);
/* In UTC: "2026-11-30T22:59:00Z"; "" if it cannot be written. */
void instant_format(int64_t t, char out[INSTANT_TEXT]);
/* So many seconds east of UTC: "2026-11-30T23:59:00+01:00". */
void instant_format_at(int64_t t, int offset_s, char out[INSTANT_TEXT]);
/* The offset of a text that instant_parse() has accepted, in seconds. */
int instant_offset(const char *text);

#endif
