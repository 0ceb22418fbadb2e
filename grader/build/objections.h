/*
 * objections.h - what a check holds against a built library, in words for the student: all of it at
 * once, so that nobody must hand in once for each function.
 */
#ifndef BUILD_OBJECTIONS_H
#define BUILD_OBJECTIONS_H

#include <stdbool.h>

#include "model/verdict.h"

enum { OBJECTIONS_MOST = 12 };

/* A function that a library calls or defines, and should not. */
struct objection {
    enum verdict verdict;
    const char *what, *why; /* "calls", "which the assignment forbids" */
    char *name, *file;      /* file NULL: no source names it */
    unsigned line;
};

struct objections {
    const char *dir; /* the sources */
    struct objection item[OBJECTIONS_MOST];
    unsigned count, more; /* more: how many were not noted */
    char *general;        /* what is wrong with the whole library, or NULL */
};

/* A function that is noted already is not noted again. `what` and `why` are not copied. */
void objections_add(struct objections *o, enum verdict verdict, const char *what, const char *name,
                    const char *why);
/* Something about the whole library; it is forbidden. Only the first one counts. Takes ownership of
 * `why`. */
void objections_whole(struct objections *o, char *why);
bool objections_any(const struct objections *o);

/* "k.c:3: calls fopen, k.c:9: calls fclose, which the assignment does not allow; ...", and the most
 * severe verdict. NULL, and pass, if there is none. The caller frees it. */
char *objections_text(struct objections *o, enum verdict *verdict);
void objections_free(struct objections *o);

#endif
