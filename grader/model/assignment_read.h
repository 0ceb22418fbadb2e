/*
 * assignment_read.h - the readers of single parts of an assignment file, for assignment_read.c,
 * which reads the whole.
 */
#ifndef MODEL_ASSIGNMENT_READ_H
#define MODEL_ASSIGNMENT_READ_H

#include "base/yaml_read.h"
#include "model/assignment.h"

/* One item of `tiers` (assignment_read_tier.c). The limits and performance sizes of the assignment
 * are read already, and so are the tiers before this one. */
void read_tier(const struct yaml_at *at, const struct assignment *a, struct tier *t);
/* `directory`, with a slash at its end, or "" (assignment_read_tier.c). */
char *read_directory(const struct yaml_at *at);

/* Commands (assignment_read_command.c): `flags` of the assignment; a compile command of a tier,
 * with the flags in it, which are read already; `launcher`, which is read already. */
void read_flags(const struct yaml_at *at, struct assignment *a);
char *read_compile(const struct yaml_at *tier, const struct assignment *a, const char *key);
void check_launcher(const struct yaml_at *at, const char *text);

/* `profiles` (assignment_read_profile.c). The mappings that they change are read already. */
void read_profiles(const struct yaml_at *at, struct assignment *a);
/* `sweeps` (assignment_read_sweep.c). The tiers are read already. */
void read_sweeps(const struct yaml_at *at, struct assignment *a);

/* `versus` (assignment_read_versus.c). The tiers are known already. */
void read_versus(const struct yaml_at *at, struct assignment *a);
/* `deadline` (assignment_read_deadline.c). */
void read_deadline(const struct yaml_at *at, struct deadline *d);
/* `roofline` (assignment_read_roofline.c). */
void read_roofline(const struct yaml_at *at, struct assignment *a);

/* Checks (assignment_read_check.c). The tier must be of one of these kinds: a set as in
 * launch_kind.h. */
void check_kind(const struct yaml_at *at, const struct tier *t, unsigned kinds);
/* `slurm.memory` of a tier, `tier`, or of the assignment, `root`. */
void check_memory(const struct yaml_at *root, const struct yaml_at *tier,
                  const struct assignment *a, const struct tier *t);
/* The yardsticks and the baseline. All tiers are read already. */
void check_yardsticks(const struct yaml_at *root, const struct yaml_at *tiers,
                      const struct assignment *a);

#endif
