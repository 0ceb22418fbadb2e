/*
 * build.h - from one submission's source files to a shared library. The assignment's compile
 * command runs in a sandbox and in a directory of its own, which contains only the tier's sources,
 * its adapter and all headers.
 */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"
#include "supervise/sandbox.h"

/* What to build, and where. */
struct build_job {
    const struct tier *tier;
    const struct limits *limits;
    const struct sandbox_policy *sandbox;
    const char *sources;   /* directory with the snapshot of one submission */
    const char *source;    /* the source file in it; the tier's further sources lie there as well */
    const char *adapter;   /* path of the tier's adapter; NULL: none, or it is not to be used */
    char *const *defines;  /* words to add after the compiler's name, NULL-terminated; or NULL */
    char *const *appended; /* words to add at the end of each step that runs the program which
                              compiles the sources, NULL-terminated; or NULL. Such a build is not
                              graded: what the assignment forbids was looked for before */
    const char *dir;       /* fresh directory to build in; the library stays in it */
    uint64_t (*give_way)(pid_t group, void *arg); /* as in struct proc_spec: for each compiler */
    void *give_way_arg;
};

/* The result. build_free() frees the texts. Texts are NULL when the build did not get that far. */
struct build {
    enum verdict verdict; /* pass, build-error, forbidden */
    bool killed;          /* SIGKILL ended the compiler; its input may not be the reason */
    bool cpu_limit;       /* the machine's limit of processor time did; its input is not */
    char *message;        /* the compiler's first error, verbatim, or "" */
    char *library;        /* absolute path, with VERDICT_PASS */
    char *command;        /* as executed, for people */
    char *log;            /* the compiler's output, shortened */
    char *elsewhere; /* with VERDICT_PASS: the only architecture for which it compiles, which is
                        not known to be that of this node; or NULL */
    char *compiler;  /* first line of --version; of each program, if there are several */
    char *source_hash;
    char library_hash[DIGEST_HEX]; /* "" without a library */
    char *outside; /* where the source includes a file that is not handed in; or NULL */
    char *options; /* where the source changes the compiler's options, if the tier asks; or NULL */
    unsigned protections;   /* that the compiler had: a set of enum protection */
    double seconds;         /* without those in which the compiler gave way */
    double held_up_seconds; /* in which the compiler waited for a core; they count for no limit */
};

/* Build. 0 with the verdict in *b. -1 only for trouble that is not the source's fault: a protection
 * that the sandbox policy requires and the node lacks (nothing was compiled then), a compile
 * command that also fails for an empty source, or a request to stop (supervise/stop.h). The caller
 * calls build_free() in both cases. */
int build_tier(const struct build_job *job, struct build *b, struct err *e);
void build_free(struct build *b);

#endif
