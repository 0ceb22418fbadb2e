/*
 * attempt.h - what each student handed in, and which attempt counts.
 */
#ifndef IMPORT_ATTEMPT_H
#define IMPORT_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "import/remarks.h"
#include "import/repository.h"
#include "import/source.h"

struct attempt_file {
    const char *path; /* in the source, which keeps it */
    char *file;       /* in the submission */
    long long number; /* of handed_in */
};

struct attempt {
    char
        *id; /* of the submission directory: "jonesanna-12345". The same student has the same one */
    char *name, *email; /* "" if the platform does not say */
    char *platform_id;  /* "12345" */
    bool late;          /* the platform says so */
    bool timed;
    int64_t submitted; /* seconds since 1970 */
    long long number;  /* a later attempt has a larger one */
    size_t order;      /* of its source on the command line */
    const struct source *source;
    struct attempt_file *file;
    size_t files;
    char *repository; /* the path of a clone in the source; NULL: it is none */
    struct commit commit;
    bool checked_out; /* the commit is the one whose files lie there */
};

struct attempts {
    struct attempt *item;
    size_t count;
};

struct attempt_request {
    const int64_t *deadline; /* NULL: there is none */
    const char *scratch;
};

/* Add the attempts that a source holds. The source must live as long as they do. */
int attempts_read(const struct source *s, size_t order, const struct attempt_request *q,
                  struct attempts *out, struct remarks *r, struct err *e);
void attempts_free(struct attempts *a);

/* Was it handed in after the deadline? Without a time, the platform's mark decides. */
bool attempt_too_late(const struct attempt *a, const int64_t *deadline);

/* Sort by id. Of each id the attempt that counts comes first: the last one in time; if none is in
 * time, any.
 */
void attempts_sort(struct attempts *a, const int64_t *deadline);

/* A name for a directory that identifier_ok() accepts. Either may be "", not both. */
char *attempt_id(const char *name, const char *platform_id);

#endif
