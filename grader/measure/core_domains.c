#include "measure/core_domains.h"

#include <hwloc.h>

/* What makes a domain. */
static const hwloc_obj_type_t shared[] = {HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                          HWLOC_OBJ_L3CACHE,  HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};

enum { SHARED_TYPES = sizeof shared / sizeof shared[0] };

/* All cores of the node, whether or not this process may use them. */
static bool load(hwloc_topology_t t)
{
    hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    return hwloc_topology_load(t) == 0;
}

/* Everything that shares something with this core. hwloc's objects are nested or disjoint, so the
 * largest one that has the core decides, and all cores in it get the same domain. */
static void domain_of(hwloc_topology_t t, unsigned core, hwloc_bitmap_t domain)
{
    hwloc_bitmap_only(domain, core);
    for (int i = 0; i < SHARED_TYPES; i++) {
        hwloc_obj_t o = NULL;
        while ((o = hwloc_get_next_obj_by_type(t, shared[i], o)))
            if (hwloc_bitmap_isset(o->cpuset, core))
                hwloc_bitmap_or(domain, domain, o->cpuset);
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* false: the topology does not have all of these cores. */
static bool find(hwloc_topology_t t, const struct cores *cores, struct cores *first)
{
    hwloc_bitmap_t domain = hwloc_bitmap_alloc(), known = hwloc_bitmap_alloc();
    bool has_all = true;
    for (int i = 0; i < cores->count && has_all; i++) {
        const unsigned core = (unsigned)cores->id[i];
        if (hwloc_bitmap_isset(known, core))
            continue;
        has_all = hwloc_bitmap_isset(hwloc_topology_get_topology_cpuset(t), core);
        domain_of(t, core, domain);
        hwloc_bitmap_or(known, known, domain);
        first->id[first->count++] = hwloc_bitmap_first(domain);
    }
    hwloc_bitmap_free(domain);
    hwloc_bitmap_free(known);
    qsort(first->id, (size_t)first->count, sizeof *first->id, by_number);
    return has_all;
}

void core_domains(const struct cores *cores, struct cores *first)
{
    hwloc_topology_t t;
    const bool made = hwloc_topology_init(&t) == 0;
    first->count = 0;
    if (!made || !load(t) || !find(t, cores, first)) {
        first->count = 1;
        first->id[0] = 0;
    }
    if (made)
        hwloc_topology_destroy(t);
}
