/* hash.h - short fingerprints (XXH3) of names and of data in memory; of files: digest.h. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_HEX 33 /* 32 hexadecimal digits and NUL */

void hash_bytes(const void *data, size_t len, char out[HASH_HEX]);
/* The same with 64 bits, as a number. */
uint64_t hash_64(const void *data, size_t len);
/* For a table of what others choose: another hash in each process, which nobody can know. */
uint64_t hash_secret(const void *data, size_t len);

#endif
