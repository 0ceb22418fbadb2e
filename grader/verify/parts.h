/* parts.h - the comparisons that verify/verify.c puts together. */
#ifndef VERIFY_PARTS_H
#define VERIFY_PARTS_H

#include <jansson.h>

#include "rundir/results.h"
#include "verify/verify.h"

/* Does a result agree with its own raw samples, with the snapshot of its source, and with the
 * record of its node (NULL: there is none)? */
void verify_result(const struct run *r, unsigned unit, const struct unit_result *u,
                   const struct node_record *node, struct verification *v);
/* Do the speeds of a node record agree with one another? */
void verify_node(const struct node_record *n, struct verification *v);

/* Do receipts agree with the digests that they hold of themselves? */
void verify_receipts_themselves(const json_t *doc, struct verification *v);
/* Two JSON values, field by field. `where` names the innermost unit or submission. */
void verify_json(const char *file, const char *where, const char *field, const json_t *recorded,
                 const json_t *recomputed, struct verification *v);
/* Two CSV files, field by field; bytes where the fields are the same. `strict` is false when the
 * recorded one may come from a program that had other columns: then it is not compared. */
void verify_table(const char *name, const char *recorded, const char *recomputed, bool strict,
                  struct verification *v);

#endif
