/*
 * groups.h - which units can share a job array. Pure.
 */
#ifndef SLURM_GROUPS_H
#define SLURM_GROUPS_H

#include <stdbool.h>

#include "model/assignment.h"
#include "rundir/plan.h"

/* Would Slurm be asked for the same? An empty text is as good as none. */
bool resources_equal(const struct resources *a, const struct resources *b);

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

/* Group the units with these plan indices. Partition, account and QOS that are not NULL take the
 * place of the assignment's. Groups and units keep their order. To be freed with
 * slurm_groups_free(). */
void slurm_groups_make(const struct assignment *a, const struct plan *p, const int *units,
                       unsigned count, const char *partition, const char *account, const char *qos,
                       struct slurm_groups *out);
void slurm_groups_free(struct slurm_groups *g);

#endif
