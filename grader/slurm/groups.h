/*
 * groups.h - which units can share a job array. Pure.
 */
#ifndef SLURM_GROUPS_H
#define SLURM_GROUPS_H

#include <stdbool.h>

#include "model/assignment.h"
#include "model/site.h"
#include "rundir/plan.h"
#include "slurm/units.h"

/* Would Slurm be asked for the same? An empty text is as good as none. */
bool resources_equal(const struct resources *a, const struct resources *b);

/* What the user asked for in place of what the assignment says. NULL: as the assignment says; what
 * the settings of the site say counts only where the assignment says nothing. Strings belong to the
 * caller. */
struct slurm_overrides {
    const char *partition;
    const char *account;
    const char *qos;
    const struct site *site; /* NULL: there are none */
};

/* Replace in *res what is overridden. *res then shares strings with *o and does not own them. */
void slurm_override(struct resources *res, const struct slurm_overrides *o);

/* What a unit asks for, after the overrides. Strings belong to the assignment or to the overrides.
 */
struct resources slurm_unit_resources(const struct assignment *a, const struct plan *p, int unit,
                                      const struct slurm_overrides *o);

/* Units that ask for the same resources: they make one array. */
struct slurm_group {
    struct resources res; /* strings belong to the assignment or to the overrides */
    int *unit;
    unsigned count;
};

struct slurm_groups {
    struct slurm_group *item;
    unsigned count;
};

/* Group these units by the resources that they ask for, after the overrides. Groups and units keep
 * their order. The caller frees *out with slurm_groups_free(). The strings of the assignment and of
 * the overrides must live as long as *out. */
void slurm_groups_make(const struct assignment *a, const struct plan *p,
                       const struct slurm_units *units, const struct slurm_overrides *o,
                       struct slurm_groups *out);
void slurm_groups_free(struct slurm_groups *g);

#endif
