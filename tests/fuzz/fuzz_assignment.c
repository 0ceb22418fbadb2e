/* An instructor's YAML file: what is accepted can be planned with. */
#include <string.h>

#include "base/strbuf.h"
#include "fuzz.h"
#include "model/assignment.h"
#include "model/cases.h"

static void use(const struct assignment *a)
{
    FUZZ_ASSERT(a->tiers_count > 0);
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct tier *t = &a->tiers[i];
        FUZZ_ASSERT(t->name && *t->name && assignment_tier(a, t->name) == (int)i);
        FUZZ_ASSERT(t->compile || t->compile_cxx);
        FUZZ_ASSERT(tier_launch_count(t) > 0);
        for (unsigned k = 0; k < tier_launch_count(t); k++) {
            struct launch l = tier_launch(t, k);
            FUZZ_ASSERT(l.ranks > 0 && l.threads > 0);
        }
        for (unsigned k = 0; k < tier_size_count(a, t); k++) {
            struct shape s = tier_size(a, t, k);
            FUZZ_ASSERT(shape_dims(s) == a->kernel->dims);
        }
        for (unsigned k = 0; k < t->points.speed_count; k++)
            FUZZ_ASSERT(t->points.speed[k].curve_count > 0);
        tier_resources(a, t);
    }
    FREED_BY(case_list_free) struct case_list cases = {0};
    cases_make(a, a->seed, &cases);
    for (size_t i = 0; i < cases.count; i++)
        FUZZ_ASSERT(cases.item[i].index == (int)i && cases.item[i].shape.dim[0] > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct assignment *a;
    struct err e = ERR_INIT;
    int rc = assignment_load(path, &a, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
        FUZZ_ASSERT(!a);
        return 0;
    }
    use(a);
    unsigned profiles = a->profiles_count;
    FUZZ_ASSERT(assignment_prepare(a, false, "no such profile", NULL, &e) != 0);
    assignment_free(a);
    for (unsigned i = 0; i < profiles && i < 4; i++) {
        FUZZ_ASSERT(assignment_load(path, &a, &e) == 0);
        if (assignment_prepare(a, i % 2, a->profiles[i].name, NULL, &e) == 0)
            use(a);
        assignment_free(a);
    }
    return 0;
}
