/*
 * parse.h - strict parsing of what people type: the whole string or an error, never a prefix.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdint.h>

#include "base/err.h"

/* The error text says what was read and what was expected, without file or field: callers add
 * those with err_context(). Unsigned seeds accept 0x. */
int parse_int(const char *s, long long min, long long max, long long *out, struct err *e);
int parse_u64(const char *s, uint64_t *out, struct err *e);
int parse_double(const char *s, double min, double max, double *out, struct err *e);
/* "500ms", "90s", "10m", "2h", "3d", or a bare number of seconds -> milliseconds. */
int parse_duration(const char *s, int64_t *ms, struct err *e);
/* "512K", "2G", "1048576" (binary multiples) -> bytes. */
int parse_bytes(const char *s, uint64_t *bytes, struct err *e);

#endif
