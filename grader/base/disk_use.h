/* disk_use.h - how much a directory takes on the disk. */
#ifndef BASE_DISK_USE_H
#define BASE_DISK_USE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that a directory and everything below it take, as du(1) counts them; a file with several
 * names below it counts once for each. Links are not followed, and what cannot be read counts
 * nothing. */
uint64_t disk_use(const char *dir);

/* "812 KiB", "1.3 GiB": for people, in a buffer of at least DISK_USE_TEXT bytes. */
enum { DISK_USE_TEXT = 32 };
const char *disk_use_text(uint64_t bytes, char *out);

#endif
