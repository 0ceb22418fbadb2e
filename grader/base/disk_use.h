/* disk_use.h - how much a directory takes on the disk, or in memory where it lies there. */
#ifndef BASE_DISK_USE_H
#define BASE_DISK_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disk_count {
    uint64_t bytes, files; /* files: entries of every kind */
    bool too_deep;         /* there is more below, which is not counted */
};

/* Bytes that a directory and everything below it take, as du(1) counts them; a file with several
 * names below it counts once for each. Links are not followed, also if another process puts them
 * there meanwhile. Other file systems below it, and what cannot be read, count nothing, nor does
 * what lies more than 32 directories deep. */
uint64_t disk_use(const char *dir);
/* The same, with the number of files. */
struct disk_count disk_count(const char *dir);

/* "812 KiB", "1.3 GiB": for people, in a buffer of at least DISK_USE_TEXT bytes. */
enum { DISK_USE_TEXT = 32 };
const char *disk_use_text(uint64_t bytes, char *out);

#endif
