/*
 * assignment_fields.h - fields that several parts of an assignment file have: names, sizes, lists
 * of workers, functions that may be called, Slurm resources.
 *
 * Like all of yaml_read.h: the first error is recorded in the file, and later reads do nothing.
 */
#ifndef MODEL_ASSIGNMENT_FIELDS_H
#define MODEL_ASSIGNMENT_FIELDS_H

#include "base/yaml_read.h"
#include "model/assignment.h"

enum { MOST_WORKERS = 4096, MOST_DIM = 46340, MOST_CASES = 100000 };

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The place of the i-th value of a list. One value without a list is a list of one. */
struct yaml_at list_item(const struct yaml_at *at, unsigned i);

/* A name that can be used in files, columns and messages as it is: [a-z0-9_-]+, not long. `whose`:
 * "a tier's". */
char *read_name(const struct yaml_at *at, const char *whose);
/* A path that is relative to the directory of a file, absolute. The caller frees it. */
char *path_beside(const char *file, const char *path);

/* Performance sizes. Each is checked, and none is given twice. Files that they name become matrices
 * of the assignment. */
void read_sizes(const struct yaml_at *at, const struct assignment *a, const struct kernel *k,
                struct shape **sizes, unsigned *count);
/* As kernel_cube(), but with the fixed dimensions of the assignment. */
struct shape fixed_cube(const struct assignment *a, const struct kernel *k, int size);
/* A tier must take the sizes of its own. */
void check_own_sizes(const struct yaml_at *at, const struct tier *t);
/* Counts of threads or ranks. None is given twice. */
void read_counts(const struct yaml_at *at, int **list, unsigned *count);
/* `ranks`, `threads` and `gpus` of a tier or sweep. Its kind is known already. */
void read_launches(const struct yaml_at *map, struct tier *t);
/* After them `nodes` and `ranks_per_node` of a tier. */
void read_nodes(const struct yaml_at *map, struct tier *t);
/* `allow` and `forbid` of the assignment or of a tier, as written. A missing one is that of
 * `otherwise`, or the standard list where `otherwise` is NULL. */
void read_calls(const struct yaml_at *map, const struct calls *otherwise, struct calls *calls);
/* `gres` of a tier whose launches and resources are read, for as many GPUs as it has. */
void read_gres(const struct yaml_at *slurm, struct tier *t);
void read_resources(const struct yaml_at *at, const struct limits *l, struct resources *r);

/* Errors: a tier of that name does not exist; only tiers of these kinds (a set as in
 * launch_kind.h) "have ranks". */
void no_such_tier(const struct yaml_at *at, const struct assignment *a, const char *name);
void only_kinds(const struct yaml_at *at, unsigned kinds, const char *what);

#endif
