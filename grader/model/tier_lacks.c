#include "model/tier_lacks.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"

static char *lacks_requirement(const struct tier *t, bool to_run)
{
    for (unsigned i = 0; i < t->requires_count; i++) {
        const struct requirement *r = &t->requires[i];
        if (r->to_run != to_run)
            continue;
        OWNED char *command = r->command ? proc_which(r->command) : NULL;
        const char *lacking = r->command && !command ? r->command : NULL;
        if (!lacking && r->file && !fs_exists(r->file))
            lacking = r->file;
        if (lacking)
            return xasprintf("this machine has no %s%s%s", lacking, r->hint ? ": " : "",
                             r->hint ? r->hint : "");
    }
    return NULL;
}

char *tier_lacks_driver(const struct tier *t)
{
    const struct launch_kind_info *kind = launch_kind_info(t->kind);
    char *program = install_path(kind->program), *why = NULL;
    if (access(program, X_OK) != 0)
        why = xasprintf("this installation has no driver-%s: %s", kind->name,
                        kind->hint ? kind->hint : program);
    free(program);
    return why;
}

char *tier_lacks_to_build(const struct tier *t)
{
    char *why = tier_lacks_driver(t);
    return why ? why : lacks_requirement(t, false);
}

char *tier_lacks_to_run(const struct tier *t)
{
    char *why = tier_lacks_to_build(t);
    return why ? why : lacks_requirement(t, true);
}
