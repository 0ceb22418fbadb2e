/*
 * build_inputs.h - what a compile command is given: a directory with copies of the sources, and its
 * words.
 */
#ifndef BUILD_BUILD_INPUTS_H
#define BUILD_BUILD_INPUTS_H

#include <stdbool.h>

#include "base/err.h"
#include "build/build.h"

/* What one build reads and writes. */
struct build_inputs {
    char *src_dir;  /* the copied sources */
    char **sources; /* in it, relative, NULL-terminated: the student's, and the adapter */
    char *source;   /* the first of them, with its directory */
    char *library;
    char *abi; /* directory of the headers that students include */
    bool cxx;  /* one of the sources is C++ */
};

/* Add a source, which is already in src_dir. */
void build_inputs_add(struct build_inputs *p, const char *name);
/* Copy everything that the compiler may read to p->src_dir, and list what it is to compile. */
int build_inputs_gather(const struct build_job *job, struct build_inputs *p, struct err *e);
/* The first source in C++; only where p->cxx. */
const char *build_inputs_cxx(const struct build_inputs *p);
void build_inputs_free(struct build_inputs *p);

/* A compile command of the tier as an argument vector. Free it with proc_argv_free(). */
char **build_command(const struct build_job *job, const char *command,
                     const struct build_inputs *p);

#endif
