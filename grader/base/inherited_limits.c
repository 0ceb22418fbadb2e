#include "base/inherited_limits.h"

#include <sys/resource.h>

#include "base/strbuf.h"

#define MIB ((rlim_t)1 << 20)
#define GIB ((rlim_t)1 << 30)
#define STACK_USUAL (8 * MIB)
#define ALWAYS RLIM_INFINITY

/* A limit below `enough` can hinder honest programs. ALWAYS: any finite one can. */
static const struct row {
    int what;
    const char *name;
    const char *unit;
    rlim_t scale;
    rlim_t enough;
} rows[] = {
    {RLIMIT_CPU, "cpu", " s", 1, ALWAYS},
    {RLIMIT_AS, "as", " MiB", MIB, ALWAYS},
    {RLIMIT_DATA, "data", " MiB", MIB, ALWAYS},
    {RLIMIT_FSIZE, "fsize", " MiB", MIB, GIB},
    {RLIMIT_NPROC, "nproc", "", 1, 1024},
    {RLIMIT_NOFILE, "nofile", "", 1, 1024},
    {RLIMIT_MEMLOCK, "memlock", " KiB", 1024, 0},
    {RLIMIT_STACK, "stack", " KiB", 1024, STACK_USUAL},
    {RLIMIT_CORE, "core", " KiB", 1024, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static rlim_t goal(const struct row *row, const struct rlimit *now)
{
    if (row->what == RLIMIT_CORE)
        return now->rlim_cur; /* nobody wants dumps that were not asked for */
    if (row->what != RLIMIT_STACK || now->rlim_max <= STACK_USUAL)
        return now->rlim_max;
    return now->rlim_cur > STACK_USUAL ? now->rlim_cur : STACK_USUAL;
}

void inherited_limits_raise(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct rlimit r;
        if (getrlimit((__rlimit_resource_t)rows[i].what, &r) != 0)
            continue;
        r.rlim_cur = goal(&rows[i], &r);
        setrlimit((__rlimit_resource_t)rows[i].what, &r);
    }
}

uint64_t inherited_limits_cpu(void)
{
    struct rlimit r;
    return getrlimit(RLIMIT_CPU, &r) == 0 && r.rlim_cur != RLIM_INFINITY ? r.rlim_cur : 0;
}

bool inherited_limits_describe(struct strbuf *out)
{
    bool low = false;
    for (size_t i = 0; i < ROWS; i++) {
        struct rlimit r;
        if (getrlimit((__rlimit_resource_t)rows[i].what, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
            continue;
        strbuf_addf(out, "%s%s %llu%s", out->len ? ", " : "", rows[i].name,
                    (unsigned long long)(r.rlim_cur / rows[i].scale), rows[i].unit);
        low = low || r.rlim_cur < rows[i].enough;
    }
    return low;
}
