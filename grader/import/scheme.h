/*
 * scheme.h - how a platform names what students hand in. Pure: only names, no files.
 *
 *   Canvas             jonesanna_LATE_12345_678910_naive-2.c     student 12345, file 678910
 *   Moodle             Anna Jones_1234567_assignsubmission_file_/naive.c
 *   Gradescope         submission_12345678/naive.c               beside submission_metadata.yml
 *   GitHub Classroom   gemm-annajones/naive.c                    a clone of a repository each
 *   Blackboard, Brightspace                                      see dated_names.h
 *   directories        anything/naive.c                          on demand only
 */
#ifndef IMPORT_SCHEME_H
#define IMPORT_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum scheme {
    SCHEME_CANVAS,
    SCHEME_MOODLE,
    SCHEME_GRADESCOPE,
    SCHEME_GITHUB,
    SCHEME_BLACKBOARD,
    SCHEME_BRIGHTSPACE,
    SCHEME_DIRECTORIES,
    SCHEME_COUNT,
};

/* For --from: "canvas", "moodle", ... NULL at the end. */
extern const char *const scheme_names[SCHEME_COUNT + 1];

/* What a roster calls the ids of a platform: "canvas_id", ... */
extern const char *const scheme_id_columns[SCHEME_COUNT];

/* Does the platform write the names of students? */
bool scheme_has_names(enum scheme s);

struct naming {
    enum scheme scheme;
    unsigned depth; /* directories in front of the names of the scheme */
    char *prefix;   /* of user names. GitHub Classroom: "gemm-"; Blackboard: "Lab3_"; else NULL */
};

/* What one path says. */
struct handed_in {
    char *student; /* the platform's id: "12345"; directories: the name */
    char *name;    /* of the student, as the platform writes it; "" if it does not */
    char *file; /* path of the file inside the submission, with the name that the student gave it;
                   "": the platform's own page (online text, a link), or the mark of a repository */
    bool late;  /* Canvas says so */
    bool timed; /* the name says when: each time is an attempt of its own */
    int64_t submitted; /* seconds since 1970 */
    long long number;  /* of the file or submission; a later one has a larger one; 0: none */
};

/* Read one path (relative, parts separated by '/'). False: it does not follow the scheme. The
 * caller frees *out with handed_in_free(). */
bool scheme_read(const struct naming *n, const char *path, struct handed_in *out);
/* The same for a directory without files: the student handed in nothing, so `file` is "". */
bool scheme_read_empty(const struct naming *n, const char *directory, struct handed_in *out);
void handed_in_free(struct handed_in *h);
/* What begins after so many directories; NULL if the path has fewer. */
const char *scheme_after_directories(const char *path, unsigned depth);

/* Find the scheme that most paths follow. A repository is shown by a path
 * ".../gemm-annajones/.git". `wanted`: this scheme only; or SCHEME_COUNT. `prefix`: in
 * front of user names; may be NULL: the part that all names share. 0 with *out, which the caller
 * frees with naming_free(); -1 if the names follow none. */
int scheme_recognise(char *const *paths, size_t count, enum scheme wanted, const char *prefix,
                     struct naming *out, struct err *e);
void naming_free(struct naming *n);

#endif
