/* A plan: what it names becomes paths in the run directory. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "rundir/plan.h"

static bool stays_inside(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

/* A source may lie in a directory of the submission. */
static bool is_below(const char *source)
{
    char padded[4200];
    snprintf(padded, sizeof padded, "/%s/", source);
    return *source && !strstr(padded, "//") && !strstr(padded, "/../");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan *p;
    struct err e = ERR_INIT;
    int rc = plan_load(fuzz_directory("plan.json", data, size), &p, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
        FUZZ_ASSERT(!p);
        return 0;
    }
    for (unsigned i = 0; i < p->submissions_count; i++) {
        FUZZ_ASSERT(stays_inside(p->submissions[i].id));
        FUZZ_ASSERT(p->submissions[i].name && p->submissions[i].path);
        for (unsigned k = 0; p->submissions[i].roster_fields && k < p->roster_columns_count; k++)
            FUZZ_ASSERT(p->submissions[i].roster_fields[k]);
    }
    for (unsigned i = 0; i < p->units_count; i++) {
        const struct unit *u = &p->units[i];
        FUZZ_ASSERT(stays_inside(u->id) && u->index == (int)i && plan_unit(p, u->id) >= 0);
        FUZZ_ASSERT((unsigned)u->submission < p->submissions_count && u->tier >= 0);
        FUZZ_ASSERT(!u->source || is_below(u->source));
        FUZZ_ASSERT(!u->preset || u->verdict < VERDICT_COUNT);
    }
    plan_free(p);
    return 0;
}
