/*
 * differences.h - the list of what is not as recorded.
 */
#ifndef VERIFY_DIFFERENCES_H
#define VERIFY_DIFFERENCES_H

#include <stddef.h>

/* Where a value is. Strings that are NULL count as "". */
struct place {
    const char *file;  /* in the run directory */
    const char *where; /* row, unit or submission; "": the whole file */
    const char *field; /* "": all of it */
};

/* Its strings are printable, without line breaks, and never NULL. */
struct difference {
    char *file, *where, *field; /* as in struct place */
    char *recorded;
    char *recomputed;
};

struct differences {
    struct difference *item;
    size_t count;
    char **note; /* what a reader must know although it is not a difference; one line each */
    size_t notes;
};

/* Append. The strings are copied. */
void differences_add(struct differences *d, struct place at, const char *recorded,
                     const char *recomputed);
void differences_note(struct differences *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Free the contents and empty the list. */
void differences_free(struct differences *d);

#endif
