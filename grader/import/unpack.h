/*
 * unpack.h - an archive into a new directory, safely: zip, tar (also compressed), 7z, rar.
 *
 * Whoever made the archive is not trusted. Only regular files are written, below the directory and
 * nowhere else: no links, no devices, no absolute paths, no "..". Litter (litter.h) is dropped.
 */
#ifndef IMPORT_UNPACK_H
#define IMPORT_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "import/remarks.h"

/* What may be written, counted in bytes and files that come out of the archive, whatever it says
 * itself. Unpacking subtracts what it has written. */
struct unpack_limits {
    uint64_t bytes;
    uint64_t file_bytes; /* a larger file is left out, with a remark */
    size_t files;        /* directories count, too */
};

/* Unpack into `to`, which must not exist or be empty. `shown` names the archive in messages. What
 * is left out is told in remarks. -1: the archive cannot be read, or a limit is reached; then `to`
 * holds a part. */
int unpack(const char *archive, const char *shown, const char *to, struct unpack_limits *left,
           struct remarks *r, struct err *e);

#endif
