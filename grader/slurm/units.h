/* units.h - a list of units. */
#ifndef SLURM_UNITS_H
#define SLURM_UNITS_H

/* Units of a plan, in order. The memory belongs to the caller. */
struct slurm_units {
    const int *index; /* plan indices; may be NULL when count is 0 */
    unsigned count;
};

#endif
