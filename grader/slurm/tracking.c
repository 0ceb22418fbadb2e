#include "slurm/tracking.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"

struct tracked *tracking_add(struct tracking *l, int unit, const struct slurm_job *array, long task)
{
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    struct tracked *t = &l->item[l->count++];
    *t = (struct tracked){.unit = unit, .array = array->number, .job = array->job, .task = task};
    return t;
}

void tracking_free(struct tracking *l)
{
    free(l->item);
    *l = (struct tracking){0};
}

bool tracking_has(const struct tracking *l, int unit)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->item[i].unit == unit && !l->item[i].over)
            return true;
    return false;
}

bool tracking_all_placed(const struct tracking *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!l->item[i].over && l->item[i].absent)
            return false;
    return true;
}

bool tracking_all_over(const struct tracking *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!l->item[i].over)
            return false;
    return true;
}

void tracking_tag(long job, long task, char *out, size_t cap)
{
    snprintf(out, cap, "%ld_%ld", job, task);
}
