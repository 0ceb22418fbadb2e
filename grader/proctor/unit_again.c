#include "proctor/unit_again.h"

#include <string.h>

#include "base/strbuf.h"
#include "proctor/node_context.h"
#include "proctor/unit_record.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"

struct unit_result *unit_again_find(const struct unit_job *job, const struct unit_result *now)
{
    const struct node_context *n = job->node;
    OWNED char *path = rundir_first_result(n->run.dir, job->unit->id);
    struct unit_result *first = NULL;
    struct err ignored = ERR_INIT;
    if (job->selection->case_index < 0 && unit_result_load(path, &first, &ignored) == 0 &&
        (first->verdict != VERDICT_PASS || !now->library_hash[0] ||
         strcmp(first->library_hash, now->library_hash) != 0 ||
         strcmp(first->host, now->host) != 0 || strcmp(first->yardstick, now->yardstick) != 0)) {
        unit_result_free(first);
        first = NULL;
    }
    return first;
}

void unit_again_take_over(struct unit_result *first, struct unit_state *s, struct unit_result *now)
{
    unit_record_text(&now->remarks, xstrdup(first->remarks));
    unit_record_text(&now->sanitized, xstrdup(first->sanitized));
    if (first->peak_memory > now->peak_memory)
        now->peak_memory = first->peak_memory;
    s->protections &= (unsigned)first->protections;
    for (unsigned i = 0; i < first->cases_count; i++) {
        const struct case_result *c = &first->cases[i];
        if (c->samples_count)
            continue;
        now->cases = xrealloc_array(now->cases, now->cases_count + 1, sizeof *now->cases);
        now->cases[now->cases_count] = *c;
        now->cases[now->cases_count].ranks = NULL;
        now->cases[now->cases_count].output = NULL;
        now->cases[now->cases_count++].ranks_count = 0;
    }
}
