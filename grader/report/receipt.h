/*
 * receipt.h - a record of what every grade was made from, to recompute and compare it later.
 *
 * RUN/receipts.json is written with the reports:
 *
 *   run           run id, assignment, seed, their digests, the tools that graded
 *   submissions   points and, unit by unit, sources, compile command, compiler, node, job, samples,
 *                 verdict, points; `receipt` is the digest of all that and of `run`
 *   files         digest of every file that bears on a grade
 *
 * The digest of a run is the SHA-256 of receipts.json, so sha256sum(1) prints it, too. Digests of
 * JSON values are those of the value written without blanks and with sorted keys.
 */
#ifndef REPORT_RECEIPT_H
#define REPORT_RECEIPT_H

#include <jansson.h>

#include "base/digest.h"
#include "report/score.h"
#include "rundir/parts.h"
#include "rundir/results.h"

/* Instead of the digest of a file that cannot be read. */
#define RECEIPT_UNREADABLE "(not a readable file)"

enum { RECEIPT_FORMAT = FORMAT_RECEIPTS, RECEIPT_MOST = 256 << 20 };

/* What receipts are made from besides the results. For receipts that are made a second time, also
 * what was true of the first ones. */
struct receipt_before {
    const json_t *files;     /* receipt_files() */
    const char *reported_by; /* the program that wrote the report; NULL: this one */
    const json_t *tools;     /* NULL: those of resume.json */
    const char *plan_sha256; /* NULL: of plan.json */
};

/* Make everything but `files`, of all units that have a result. The caller decrefs *out. */
int receipt_make(const struct run *r, const struct results *res, const struct scoreboard *b,
                 const struct receipt_before *before, json_t **out, struct err *e);
/* The receipt of a plan's submission, "" when there is none. */
const char *receipt_of(const json_t *doc, unsigned submission);

/* Digest of every file in a run directory that a grade depends on, by its path there;
 * RECEIPT_UNREADABLE for a file that cannot be read. The plan need not be readable. */
json_t *receipt_files(const char *run_dir);
/* Append these digests to the document, with new ones of the tables that were written meanwhile. */
void receipt_add_files(json_t *doc, const char *run_dir, json_t *before);
/* Write receipts.json: the bytes are json_file_text()'s. */
int receipt_save(const char *run_dir, json_t *doc, struct err *e);

/* Digest of the file RUN/receipts.json. */
int receipt_run_digest(const char *run_dir, char out[DIGEST_HEX], struct err *e);
/* That file, for receipt_of(); NULL when it cannot be read. The caller decrefs it. */
json_t *receipt_load(const char *run_dir);
/* Digest of a JSON value. */
void receipt_json_digest(const json_t *value, char out[DIGEST_HEX]);
/* What a submission's `receipt` must be: computed over everything else in it. */
void receipt_submission_digest(const json_t *submission, char out[DIGEST_HEX]);

#endif
