#include "slurm/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/field.h"

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool resources_equal(const struct resources *a, const struct resources *b)
{
    if (a->extra_count != b->extra_count)
        return false;
    for (unsigned i = 0; i < a->extra_count; i++)
        if (!same(a->extra[i], b->extra[i]))
            return false;
    return a->memory_as == b->memory_as && fields_equal(&assignment_fields[OF_SLURM], a, b);
}

static void choose(char **value, const struct slurm_layers *l, enum site_setting x)
{
    if (l->given && l->given->value[x])
        *value = l->given->value[x];
    else if (!*value && l->site)
        *value = l->site->value[x];
}

void slurm_lay_over(struct resources *res, const struct slurm_layers *l)
{
#define SLURM_WORD(name, word, letter) choose(&res->word, l, SITE_##name);
#include "model/slurm_words.def"
    const char *memory = l->site ? l->site->value[SITE_MEMORY] : NULL;
    for (int i = 0; memory && site_memory_words[i]; i++)
        if (strcmp(site_memory_words[i], memory) == 0)
            res->memory_as = (enum memory_request)i;
}

struct resources slurm_unit_resources(const struct assignment *a, const struct plan *p, int unit,
                                      const struct slurm_layers *l)
{
    struct resources res = tier_resources(a, &a->tiers[p->units[unit].tier]);
    slurm_lay_over(&res, l);
    return res;
}

void slurm_groups_make(const struct assignment *a, const struct plan *p,
                       const struct slurm_units *units, const struct slurm_layers *l,
                       struct slurm_groups *out)
{
    *out = (struct slurm_groups){0};
    for (unsigned i = 0; i < units->count; i++) {
        int unit = units->index[i];
        const struct resources res = slurm_unit_resources(a, p, unit, l);
        struct slurm_group *g = NULL;
        for (unsigned k = 0; k < out->count && !g; k++)
            if (resources_equal(&out->item[k].res, &res))
                g = &out->item[k];
        if (!g) {
            out->item = xrealloc_array(out->item, out->count + 1, sizeof *out->item);
            g = &out->item[out->count++];
            *g = (struct slurm_group){.res = res, .unit = xcalloc(units->count, sizeof *g->unit)};
        }
        g->unit[g->count++] = unit;
    }
}

void slurm_groups_free(struct slurm_groups *g)
{
    for (unsigned i = 0; i < g->count; i++)
        free(g->item[i].unit);
    free(g->item);
    *g = (struct slurm_groups){0};
}
