#include "slurm/share.h"

enum { WAVES = 2 /* elements of an array, over those that may run at a time */ };

/* Of an array with so many units. */
static unsigned throttle(const struct slurm_group *g, unsigned taken, unsigned units, long most)
{
    const long all = g->count, before = taken, with = before + units;
    const long share = most * with / all - most * before / all;
    return share > 1 ? (unsigned)share : 1;
}

struct slurm_share share_next(const struct slurm_group *g, unsigned taken,
                              const struct share_limits *limits)
{
    const long most = WAVES * limits->at_a_time;
    const unsigned left = g->count - taken;
    const unsigned wanted = (long)left < most ? left : (unsigned)most;
    const unsigned elements = (long)wanted < limits->most ? wanted : (unsigned)limits->most;
    const unsigned fair = (unsigned)(((unsigned long long)left * elements + wanted - 1) / wanted);
    /* Each array runs an element, so there are at most as many arrays as elements may run. */
    const unsigned least = (unsigned)((g->count + limits->at_a_time - 1) / limits->at_a_time);
    const unsigned wide = fair > least ? fair : least, units = wide < left ? wide : left;
    return (struct slurm_share){.units = {.index = g->unit + taken, .count = units},
                                .elements = elements,
                                .throttle = throttle(g, taken, units, limits->at_a_time)};
}
