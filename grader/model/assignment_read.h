/*
 * assignment_read.h - parts shared by the readers of an assignment file: assignment_read.c (the
 * whole), assignment_read_tier.c (one tier) and assignment_read_sweep.c.
 */
#ifndef MODEL_ASSIGNMENT_READ_H
#define MODEL_ASSIGNMENT_READ_H

#include "base/yaml_read.h"
#include "model/assignment.h"

enum { MOST_WORKERS = 4096, MOST_DIM = 46340, MOST_CASES = 100000 };

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Performance sizes, each parsed and given once. */
void read_sizes(const struct yaml_at *at, char ***texts, unsigned *count);
/* Thread or rank counts, each given once. */
void read_counts(const struct yaml_at *at, int **list, unsigned *count);
/* `allow` and `forbid` of the assignment or of a tier, as written; `otherwise` for what is missing,
 * the standard where that is NULL. */
void read_calls(const struct yaml_at *at, const struct calls *otherwise, struct calls *calls);
/* What becomes of sources that change the compiler's options. */
enum pragma_rule read_pragmas(const struct yaml_at *at, enum pragma_rule otherwise);
void read_resources(const struct yaml_at *at, const struct limits *l, struct resources *r);
/* A name that is good for files, columns and messages as it is: [a-z0-9_-]+, not long. */
char *read_name(const struct yaml_at *at, const char *whose);

/* One item of `tiers`. Limits and performance sizes of the assignment are read already, and so are
 * the tiers before it. */
void read_tier(const struct yaml_at *at, const struct assignment *a, struct tier *t);
/* `sweeps`; the tiers are read already. */
void read_sweeps(const struct yaml_at *at, struct assignment *a);

#endif
