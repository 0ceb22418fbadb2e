/* hash.h - content fingerprints (XXH3, 128 bits) for records; not a cryptographic signature. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define HASH_HEX 33 /* 32 hexadecimal digits and NUL */

void hash_bytes(const void *data, size_t len, char out[HASH_HEX]);
/* The same with 64 bits, as a number. */
uint64_t hash_64(const void *data, size_t len);
int hash_file(const char *path, char out[HASH_HEX], struct err *e);

#endif
