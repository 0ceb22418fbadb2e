/*
 * build.h - from source files to a shared library, by the assignment's compile command, in a
 * directory of its own. Only the chosen source and the headers beside it are present.
 */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"

struct build {
    enum verdict verdict; /* pass, build-error, forbidden */
    bool killed;          /* the compiler ended by SIGKILL: perhaps not for its input's sake */
    char *message;        /* first error of the compiler as it is, or "" */
    char *library;        /* absolute path, when built */
    char *command;        /* as run, for people */
    char *log;            /* what the compiler said, shortened */
    char *compiler;       /* first line of --version */
    char *source_hash;
    char *options; /* where the source changes the compiler's options, if the tier minds; or NULL */
    unsigned protections; /* that the compiler had around it: a set of enum protection */
    double seconds;
};

/* sources: directory that holds the snapshot of one submission; dir: fresh directory to build in.
 * -1 only for trouble that is not the source's, such as a node that lacks what sandbox_require()
 * asked for; then nothing was compiled. The caller frees with build_free(). */
int build_tier(const struct tier *t, const struct limits *l, const char *sources,
               const char *source, const char *dir, struct build *b, struct err *e);
/* The same with further words after the compiler's name: defines, a NULL-terminated vector. */
int build_point(const struct tier *t, const struct limits *l, const char *sources,
                const char *source, char *const *defines, const char *dir, struct build *b,
                struct err *e);
void build_free(struct build *b);

/* What the node lacks to build this tier, or to run it, as one line with its hint; NULL: nothing.
 * The caller frees. */
char *build_missing_requirement(const struct tier *t, bool to_run);

#endif
