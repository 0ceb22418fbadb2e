/* The table of weak scaling. */

#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/weak_rows.h"

void rows_weak(const struct table_source *s, struct table *t)
{
    const struct kernel *k = s->run->assignment->kernel;
    OWNED struct weak_row *rows = NULL;
    const size_t n = weak_rows(s->run, s->results, -1, &rows);
    for (size_t i = 0; i < n; i++) {
        const struct weak_row *x = &rows[i];
        const struct launch l = x->result->launch;
        const double seconds = x->result->estimate.seconds.value;
        table_str(t, WEAK_SUBMISSION, text_submission(s->run, (unsigned)x->unit));
        table_str(t, WEAK_TIER, text_tier(s->run, (unsigned)x->unit));
        table_int(t, WEAK_WORKERS, launch_workers(l));
        table_int(t, WEAK_RANKS, l.ranks);
        table_int(t, WEAK_THREADS, l.threads);
        table_int(t, WEAK_NODES, launch_nodes(l));
        table_int(t, WEAK_GPUS,
                  tier_gpus(&s->run->assignment->tiers[s->run->plan->units[x->unit].tier], l));
        table_size(t, WEAK_SIZE, x->shape);
        table_num(t, WEAK_WORK, x->work, WHOLE);
        table_num(t, WEAK_SECONDS, seconds, SIGNIFICANT);
        table_num(t, WEAK_GOPS, kernel_operations(k, x->shape) / seconds * 1e-9, SIGNIFICANT);
        table_num(t, WEAK_EFFICIENCY, x->efficiency.value, 4);
        table_num(t, WEAK_LOW, x->efficiency.low, 4);
        table_num(t, WEAK_HIGH, x->efficiency.high, 4);
        table_yes_no(t, WEAK_CONFIRMED, x->result->estimate.confirmed);
        table_end_row(t);
    }
}
