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

/* What lies over and under the words of the assignment and its tiers. NULL: nothing. */
struct slurm_layers {
    const struct site *given; /* by a command line: it replaces them */
    const struct site *site;  /* it counts where they say nothing */
};

/* Lay them over *res, which then shares strings with the layers and does not own them. */
void slurm_lay_over(struct resources *res, const struct slurm_layers *l);

/* What a unit asks for, by all layers. Strings belong to the assignment or to a layer. */
struct resources slurm_unit_resources(const struct assignment *a, const struct plan *p, int unit,
                                      const struct slurm_layers *l);

/* Units that ask for the same resources: they make one array. */
struct slurm_group {
    struct resources res; /* strings belong to the assignment or to a layer */
    int *unit;
    unsigned count;
};

struct slurm_groups {
    struct slurm_group *item;
    unsigned count;
};

/* Group these units by the resources that they ask for, by all layers. Groups and units keep their
 * order. The caller frees *out with slurm_groups_free(). The strings of the assignment and of the
 * layers must live as long as *out. */
void slurm_groups_make(const struct assignment *a, const struct plan *p,
                       const struct slurm_units *units, const struct slurm_layers *l,
                       struct slurm_groups *out);
void slurm_groups_free(struct slurm_groups *g);

#endif
