/*
 * other_tools.h - which results of a run come from another grader, or from another compiler of this
 * machine, than those that are installed now.
 */
#ifndef PLAN_OTHER_TOOLS_H
#define PLAN_OTHER_TOOLS_H

#include <jansson.h>

#include "base/digest.h"
#include "rundir/results.h"
#include "rundir/run.h"

struct other_tools {
    const struct run *run;
    const struct results *results;
    char *const *prefix;
    json_t *was, *is; /* programs of the grader */
    char is_digest[DIGEST_HEX];
    char **c, **cxx; /* compilers of each tier, once they are known */
};

/* prefix: words before each compiler, as proctors have them: they load modules. NULL: none. All
 * must outlive it. */
void other_tools_init(struct other_tools *o, const struct run *run, const struct results *results,
                      char *const *prefix);
void other_tools_free(struct other_tools *o);

/* Why all units must run again: the grader of the run was another one, or baseline or a yardstick
 * was compiled by another compiler. NULL: they need not. The caller frees it. */
char *other_tools_for_all(struct other_tools *o);
/* Why this unit of the run must run again. */
char *other_tools_for_unit(struct other_tools *o, unsigned unit);

#endif
