/* digest.h - SHA-256, for files and for records that must show tampering. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define DIGEST_HEX 65 /* 64 hexadecimal digits and NUL */

void digest_bytes(const void *data, size_t len, char out[DIGEST_HEX]);
/* The same in base 64, as policies of HTML pages have it. */
#define DIGEST_BASE64 45 /* 44 characters and NUL */
void digest_base64(const void *data, size_t len, char out[DIGEST_BASE64]);
/* A number that does not tell x: the first 64 bits of the digest of its bytes, least significant
 * first. */
uint64_t digest_word(uint64_t x);
/* Of a regular file's bytes, however many: what sha256sum(1) prints. */
int digest_file(const char *path, char out[DIGEST_HEX], struct err *e);
/* Both can be read, and have the same bytes. */
bool digest_same_files(const char *a, const char *b);
/* 64 hexadecimal digits, in either case; out is in lower case. */
bool digest_parse(const char *text, char out[DIGEST_HEX]);

#endif
