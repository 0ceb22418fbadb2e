/* submission_metadata.h - submission_metadata.yml of a Gradescope export: who handed in what, when.
 */
#ifndef IMPORT_SUBMISSION_METADATA_H
#define IMPORT_SUBMISSION_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct submitter {
    char *number;             /* of the submission: "12345678" */
    char *name, *sid, *email; /* "" where the file has none */
    bool timed;
    int64_t created; /* seconds since 1970 */
};

struct submission_metadata {
    struct submitter *item; /* one per submission and submitter: a group has several */
    size_t count;
};

/* Read the file. Also after -1, *out must be freed. */
int submission_metadata_read(const char *path, struct submission_metadata *out, struct err *e);
void submission_metadata_free(struct submission_metadata *m);

#endif
