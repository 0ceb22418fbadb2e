/* trusted.h - build a source of the instructor that computes a kernel in a file. */
#ifndef BUILD_TRUSTED_H
#define BUILD_TRUSTED_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "supervise/sandbox.h"

/* The second source and mistakes have the function of the first. */
enum trusted_part {
    TRUSTED_SOURCE,
    TRUSTED_CHECK,
    TRUSTED_VALUES,
    TRUSTED_SECOND,
    TRUSTED_MISTAKE
};

struct trusted_job {
    const struct kernel_file *file;
    enum trusted_part part;
    const char *source;  /* name of the source */
    const char *sources; /* the directory in which it lies */
    const struct limits *limits;
    const struct sandbox_policy *sandbox;
    const char *dir;       /* fresh directory to build in */
    char *const *appended; /* more words for the compiler, NULL-terminated; or NULL */
};

/* The caller frees *library. -1 with the reason, which names the source. */
int trusted_build(const struct trusted_job *job, char **library, struct err *e);

#endif
