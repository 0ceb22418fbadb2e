#include "build/source_rules.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "build/build_step.h"
#include "build/expand.h"
#include "build/source_facts.h"
#include "model/source_name.h"

/* Of a compiler's output. Honest sources with the headers of C++ or of a GPU make a tenth. */
enum { OUTPUT_MOST = 64 << 20 };

/* What the preprocessor makes of the students' sources, or of the adapter with their headers. */
static int look_at_expansion(struct build *b, const struct build_job *job,
                             const struct build_inputs *p, const struct proc_spec *base,
                             char *const *argv, bool adapter, struct err *e)
{
    OWNED_TEXTS char **words = expand_command(argv, p->sources, adapter);
    struct proc_spec spec = *base;
    FREED_BY(proc_result_free) struct proc_result r = {0};
    const bool device = launch_kind_has(job->tier->kind, KIND_DEVICE);
    spec.output_max = OUTPUT_MOST;
    const int rc = build_step(b, job, &spec, words, &r, e);
    if (rc == 0 && proc_ok(&r))
        b->options = r.truncated
                         ? xasprintf("%s: " EXPAND_TOO_LONG, p->sources[0])
                         : expand_find_change(r.out.s, r.out.len, p->src_dir, adapter, device);
    return rc;
}

int source_rules_look(struct build *b, const struct build_job *job, const struct build_inputs *p,
                      const struct proc_spec *base, char *const *argv, struct err *e)
{
    struct source_facts facts;
    int rc = source_facts_find(p->src_dir, p->sources, job->limits->source_bytes,
                               launch_kind_has(job->tier->kind, KIND_DEVICE), &facts, e);
    if (rc != 0)
        e->kind = ERR_SYSTEM;
    b->outside = facts.outside;
    if (job->tier->pragmas == PRAGMAS_ALLOW)
        free(facts.change);
    else
        b->options = facts.change;
    if (rc != 0 || job->tier->pragmas == PRAGMAS_ALLOW)
        return rc;
    if (!b->options)
        rc = look_at_expansion(b, job, p, base, argv, false, e);
    if (rc == 0 && !b->options && job->adapter)
        rc = look_at_expansion(b, job, p, base, argv, true, e);
    return rc;
}
