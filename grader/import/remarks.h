/* remarks.h - what an import left out, and why: lines for people. */
#ifndef IMPORT_REMARKS_H
#define IMPORT_REMARKS_H

#include <stddef.h>

#include "base/strbuf.h"

enum { REMARKS_SHOWN = 50 };

struct remarks {
    struct strbuf text; /* the first REMARKS_SHOWN lines */
    size_t count;       /* of all */
};

#define REMARKS_INIT                                                                               \
    {                                                                                              \
        STRBUF_INIT, 0                                                                             \
    }

/* Add a line. What is in file names cannot control a terminal: it is replaced. */
void remark(struct remarks *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A line for each directory below `dir` that tree_list() does not enter. `shown` names `dir`. */
void remark_closed(struct remarks *r, const char *shown, const char *dir);

#endif
