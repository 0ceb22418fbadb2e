#include "proctor/node_lacks.h"

#include <stdlib.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "supervise/driver_program.h"

char *node_lacks_to_build(const struct tier *t)
{
    char *missing = build_missing_requirement(t, false);
    if (missing)
        return missing;
    char *program = driver_program(t->kind);
    if (!fs_exists(program))
        missing = xasprintf("this installation has no driver for %s tiers (%s)",
                            launch_kind_name(t->kind), program);
    free(program);
    return missing;
}

char *node_lacks_to_run(const struct tier *t)
{
    char *missing = node_lacks_to_build(t);
    return missing ? missing : build_missing_requirement(t, true);
}
