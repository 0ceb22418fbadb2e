/* Every unit gets into an array, and limits are kept. */
#include "unit.h"

#include "slurm/share.h"

TEST(tables)
{
    static const struct {
        unsigned units;
        int max_concurrent;
        long most;
        unsigned arrays;          /* 0: not looked at */
        unsigned elements, first; /* elements and units of the first array */
    } table[] = {
        {1, 16, 1000, 1, 1, 1},
        {7, 12, 6, 2, 6, 6},
        {8, 4, 2, 4, 2, 2},
        {1000, 16, 1000, 1, 32, 1000},
        {10000, 1, 1000, 1, 2, 10000},
        {1000, 16, 1, 0, 1, 63},
        {100, 100, 1, 100, 1, 1},
        {8, 3, 2, 3, 2, 3},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct slurm_group g = {.unit = (int[10000]){0}, .count = table[i].units};
        const struct share_limits limits = {table[i].max_concurrent, table[i].most};
        unsigned arrays = 0, taken = 0;
        long at_a_time = 0;
        while (taken < g.count) {
            const struct slurm_share s = share_next(&g, taken, &limits);
            if (!s.units.count || !s.elements || s.elements > table[i].most ||
                s.elements > s.units.count || taken + s.units.count > g.count ||
                s.units.index != g.unit + taken)
                fail_msg("%zu: %u units for %u elements", i, s.units.count, s.elements);
            if (!arrays++ && (s.elements != table[i].elements || s.units.count != table[i].first))
                fail_msg("%zu: first %u units for %u elements", i, s.units.count, s.elements);
            at_a_time += s.throttle;
            taken += s.units.count;
        }
        if (at_a_time > (long)table[i].max_concurrent)
            fail_msg("%zu: %ld at a time", i, at_a_time);
        if (table[i].arrays && arrays != table[i].arrays)
            fail_msg("%zu: %u arrays", i, arrays);
    }
}

TESTS(NULL, NULL)
