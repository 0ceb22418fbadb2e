#include "slurm/tracking.h"

#include <stdlib.h>

#include "base/strbuf.h"

void tracking_init(struct tracking *l, unsigned units)
{
    *l = (struct tracking){.at = xcalloc(units + 1, sizeof *l->at)};
    for (unsigned i = 0; i < units; i++)
        l->at[i] = -1;
}

struct tracked *tracking_add(struct tracking *l, int unit, const struct slurm_job *array)
{
    if (l->at[unit] < 0) {
        if ((l->count & (l->count - 1)) == 0) /* grow in powers of two */
            l->item = xrealloc_array(l->item, l->count ? 2 * (size_t)l->count : 1, sizeof *l->item);
        l->at[unit] = (int)l->count++;
    } else if (l->item[l->at[unit]].over) {
        l->over--;
    }
    struct tracked *t = &l->item[l->at[unit]];
    *t = (struct tracked){.unit = unit, .array = array->number, .job = array->job, .task = -1};
    return t;
}

void tracking_free(struct tracking *l)
{
    free(l->item);
    free(l->at);
    *l = (struct tracking){0};
}

void tracking_seen(struct tracked *t)
{
    t->absent = 0;
    t->earlier = false;
}

struct tracked *tracking_find(const struct tracking *l, int unit)
{
    struct tracked *t = l->at[unit] < 0 ? NULL : &l->item[l->at[unit]];
    return t && !t->over ? t : NULL;
}

bool tracking_needs_array(const struct tracking *l, int unit)
{
    return l->at[unit] < 0 || l->item[l->at[unit]].left;
}

bool tracking_any_left(const struct tracking *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->item[i].left)
            return true;
    return false;
}

void tracking_over(struct tracking *l, struct tracked *t)
{
    t->over = true;
    t->left = false;
    l->over++;
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
    return l->over == l->count;
}
