#include "model/launch_kind.h"

#include <stdio.h>

#include "base/strbuf.h"

static const struct launch_kind_info kinds[] = {
#define LAUNCH_KIND(identifier, ...) [LAUNCH_##identifier] = {__VA_ARGS__},
#include "model/launch.def"
#undef LAUNCH_KIND
};

const struct launch_kind_info *launch_kind_info(enum launch_kind k)
{
    return &kinds[k];
}

const char *launch_kind_name(enum launch_kind k)
{
    return kinds[k].name;
}

bool launch_kind_has(enum launch_kind k, enum launch_trait t)
{
    return kinds[k].traits & (unsigned)t;
}

const char *const *launch_kind_names(void)
{
    static const char *names[LAUNCH_KIND_COUNT + 1];
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++)
        names[k] = kinds[k].name;
    return names;
}

unsigned launch_kinds_with(enum launch_trait t)
{
    unsigned set = 0;
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++)
        if (launch_kind_has((enum launch_kind)k, t))
            set |= 1U << k;
    return set;
}

unsigned launch_kinds_that_attest(enum attest_kind what)
{
    unsigned set = 0;
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++)
        if (kinds[k].attest & (unsigned)what)
            set |= 1U << k;
    return set;
}

char *launch_kinds_text(unsigned set, const char *joint)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++)
        if (set & 1U << k)
            strbuf_addf(&sb, "%s%s", sb.len ? joint : "", kinds[k].name);
    return strbuf_detach(&sb);
}

void launch_function(enum launch_kind k, const char *function, char out[LAUNCH_FUNCTION_MOST])
{
    snprintf(out, LAUNCH_FUNCTION_MOST, "%s%s", function, kinds[k].suffix);
}
