/*
 * comparisons.h - the comparisons that verify/verify.c puts together. Each adds what it finds to a
 * list.
 */
#ifndef VERIFY_COMPARISONS_H
#define VERIFY_COMPARISONS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/digest.h"
#include "base/err.h"
#include "rundir/results.h"
#include "verify/differences.h"

/* --- a run's own results (verify/result.c) --- */

/* Does a result agree with its own raw times, with the snapshot of its source, and with the
 * record of its node (NULL: there is none)? */
void verify_result(const struct run *r, unsigned unit, const struct unit_result *u,
                   const struct node_record *node, struct differences *d);

/* --- two versions of the same text (verify/compare.c) --- */

/* Two JSON values, field by field. Below an object with a "unit" or an "id", that name takes the
 * place of at.where. */
void verify_json(struct place at, const json_t *recorded, const json_t *recomputed,
                 struct differences *d);
/* Two CSV files, field by field; or byte by byte when their fields are the same. There is no file
 * of a table without rows. Not `strict`: the recorded file may come from a program that had other
 * columns, and is not compared then. */
void verify_table(const char *name, const char *recorded, const char *recomputed, bool strict,
                  struct differences *d);

/* --- receipts.json (verify/receipts_file.c reads it, verify/receipts.c compares) --- */

struct receipts {
    json_t *doc;             /* receipts.json; NULL: it is missing or damaged */
    json_t *units;           /* borrowed values of doc, by the id of the unit */
    char digest[DIGEST_HEX]; /* of the file; "": it is missing */
};

/* Read RUN/receipts.json. A damaged one is a difference; -1: it cannot be read. The caller calls
 * receipts_free() in every case. */
int receipts_load(const char *dir, struct receipts *r, struct differences *d, struct err *e);
void receipts_free(struct receipts *r);
/* Had this unit a result when the receipts were written? */
bool receipts_had_result(const struct receipts *r, const char *unit_id);
/* The first one, of a unit that is timed further (execute/again.h). */
bool receipts_had_first(const struct receipts *r, const char *run, const char *unit_id);
/* Do receipts agree with the digests of their parts that they hold? */
void verify_receipts_themselves(const json_t *doc, struct differences *d);
/* `wanted` is a digest that somebody kept: of the whole run, or the receipt of one submission. */
void verify_wanted_digest(const char *dir, const struct receipts *r, const char *wanted,
                          struct differences *d);
/* Compare with the receipts that are made again. `again` loses its member "format". */
void verify_receipts(const struct receipts *r, json_t *again, struct differences *d);

/* --- what a regrade or rescore replaced (verify/earlier.c) --- */

/* Is the digest of the time before one of them? Says so, and compares what none of them has
 * replaced since. */
bool verify_earlier_digest(const char *dir, const struct receipts *now, const char *wanted,
                           struct differences *d);

/* --- a resume that has begun and not ended (verify/resumed.c) --- */

/* What has happened since the receipts were written, and is no difference. */
struct since {
    bool unfinished; /* results have come, or a resume has begun and not ended */
    bool options;    /* it has rewritten resume.json */
    bool plan;       /* and has noted in plan.json who graded the units that had a result */
};

/* Is the run locked, or are there units that a resume left without a result? */
bool resumed_goes_on(const struct run *r, const struct receipts *rc);
/* Is plan.json what it was (digest `was`), but for the graders that a resume noted in it (`is`)? */
bool resumed_same_plan(const char *dir, const struct receipts *rc, const char *was, const char *is);
/* Give the plan in memory the graders that it had. */
void resumed_restore(const struct run *r, const struct receipts *rc);

/* --- files (verify/files.c) --- */

/* Compare the digest of every file of the run with the one in the receipts. Returns the number of
 * files compared. run: NULL if it cannot be opened. now: receipt_files(). */
size_t verify_files(const char *dir, const struct run *run, const struct receipts *r, json_t *now,
                    struct since *since, struct differences *d);

#endif
