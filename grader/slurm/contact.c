#include "slurm/contact.h"

#include "base/clock.h"
#include "execute/stop.h"

enum { BACKOFF_MAX_MS = 60000 }; /* between questions while Slurm is silent */

uint64_t moment_in_ms(int64_t ms)
{
    return clock_mono_ns() + (uint64_t)(ms > 0 ? ms : 0) * UINT64_C(1000000);
}

bool moment_passed(uint64_t when)
{
    return clock_mono_ns() >= when;
}

void contact_heard(struct slurm_contact *c, enum slurm_answer a, const char *why,
                   struct progress *progress)
{
    if (execute_stop)
        return; /* nobody waited for the answer */
    if (a == SLURM_SILENT) {
        int64_t wait = c->poll_ms;
        for (unsigned i = 0; i < c->silences && wait < BACKOFF_MAX_MS; i++)
            wait *= 2;
        c->silences++;
        c->next_query = moment_in_ms(wait < BACKOFF_MAX_MS ? wait : BACKOFF_MAX_MS);
        if (!c->silent)
            progress_note(progress,
                          "Slurm does not answer (%s); waiting for it. Jobs that run go on, and "
                          "their results are taken from disk",
                          why);
        c->silent = true;
        return;
    }
    c->answered = c->answered || a == SLURM_ANSWERED;
    c->next_query = moment_in_ms(c->poll_ms);
    c->silences = 0;
    if (c->silent)
        progress_note(progress, "Slurm answers again");
    c->silent = false;
}
