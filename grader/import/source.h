/*
 * source.h - one archive or directory that was downloaded from a platform.
 */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

#include <stddef.h>

#include "base/err.h"
#include "import/remarks.h"
#include "import/scheme.h"
#include "import/unpack.h"

struct source {
    char *shown; /* as the user gave it */
    char *root;  /* absolute: the directory, or where the archive was unpacked */
    char **path; /* of every file in it that is neither hidden nor litter, sorted; "DIR/.git" for a
                    repository */
    size_t count;
    char **empty; /* directories at the depth of the scheme that hold none of these files, sorted */
    size_t empties;
    struct naming naming;
};

struct source_request {
    enum scheme wanted;  /* SCHEME_COUNT: find out */
    const char *prefix;  /* of GitHub Classroom; NULL: find out */
    const char *scratch; /* a directory for what is unpacked */
    struct unpack_limits *left;
};

enum { SOURCE_FILES_MOST = 200000 };

/* Unpack, list, recognise. After 0 the caller frees *out with source_free(). */
int source_open(const char *path, const struct source_request *q, struct source *out,
                struct remarks *r, struct err *e);
void source_free(struct source *s);

#endif
