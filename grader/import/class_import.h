/*
 * class_import.h - from what a platform lets an instructor download to submission directories:
 *
 *   TO/ID/           one for each student, with the files of the attempt that counts
 *   TO/roster.csv    submission, name, the platform's id, ... : for `grade --roster`
 *   TO/submitted.csv submission, submitted: the times that are known
 *
 * It may be interrupted at any moment. The next import of the same sources has the same result.
 */
#ifndef IMPORT_CLASS_IMPORT_H
#define IMPORT_CLASS_IMPORT_H

#include <stdint.h>

#include "base/strbuf.h"
#include "import/remarks.h"
#include "import/scheme.h"

struct import_request {
    char *const
        *sources; /* archives and directories; a later one counts more, where nothing else says */
    size_t count;
    const char *to;
    enum scheme wanted;      /* SCHEME_COUNT: find out */
    const char *prefix;      /* of GitHub Classroom; NULL: find out */
    const int64_t *deadline; /* NULL: there is none */
    const char *gradebook;   /* who is in the class; NULL: nobody says it */
};

struct import_outcome {
    size_t attempts, students;
    size_t untimed;         /* students of whose attempt no time is known */
    struct strbuf too_late; /* ids, one a line: students without an attempt before the deadline */
    size_t too_late_count;
    struct strbuf stay; /* ids, one a line: too late as well, but an earlier import stays */
    size_t stay_count;
    struct strbuf kept_times; /* ids, one a line: untimed, with a row in submitted.csv that stays */
    size_t enrolled;          /* students of the gradebook */
    size_t absent;            /* of these, who handed in nothing */
    struct strbuf unlisted;   /* ids, one a line: who handed in and is not in the gradebook */
    size_t unlisted_count;
    struct strbuf unclear; /* ids, one a line: whose names do not say who they are there */
    size_t unclear_count;
    size_t left_out;        /* students of the gradebook with these names; not in the roster */
    struct strbuf prefixes; /* messages, one a line: which prefixes were found out */
    struct remarks remarks;
};

/* The caller frees *out with import_outcome_free(), also after an error. */
int class_import(const struct import_request *q, struct import_outcome *out, struct err *e);
void import_outcome_free(struct import_outcome *o);

#endif
