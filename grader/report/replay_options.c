#include "report/replay_options.h"

#include <stdio.h>

#include "model/race.h"

/* With one worker, only the values and the old output decide whether a run fails: most do. Where
 * few have failed, so many failures are expected. */
enum { RUNS_OF_ONE_WORKER = 20, FAILURES_OF_ONE_WORKER = 10 };

/* Even in a small case, some thread that is left is late in one of so many runs. */
enum { RUNS_OF_LEFT_THREADS = 200 };

static int repeat_alone(int failed_runs, int runs)
{
    const int n = failed_runs ? FAILURES_OF_ONE_WORKER * runs / failed_runs : 0;
    return n > RUNS_OF_ONE_WORKER ? n : RUNS_OF_ONE_WORKER;
}

/* Runs that show a failure again which showed in so many of all runs; 0: one run does. */
static int repetitions(enum cause cause, int failed_runs, int runs, int workers)
{
    switch (cause) {
    case CAUSE_EARLIER_CALLS:
    case CAUSE_LATER_CALLS:
    case CAUSE_OLD_OUTPUT:
    case CAUSE_REQUESTS_LEFT:
        return RUNS_OF_ONE_WORKER;
    case CAUSE_THREADS_LEFT:
        return RUNS_OF_LEFT_THREADS;
    case CAUSE_RACE:
        return race_repeat(failed_runs, runs);
    default:
        if (failed_runs >= runs)
            return 0;
        return workers > 1 ? race_repeat(failed_runs, runs) : repeat_alone(failed_runs, runs);
    }
}

static struct replay_conditions conditions(enum cause cause, int repeat)
{
    const bool fill = cause == CAUSE_UNSET_MEMORY;
    return (struct replay_conditions){.fill = fill, .repeat = fill ? 0 : repeat};
}

struct replay_conditions replay_conditions(const struct case_result *c)
{
    /* Output and memory are counted from the start of the process: many calls reach the limit. */
    if (c->cause == CAUSE_EARLIER_CALLS || c->verdict == VERDICT_OUTPUT_LIMIT ||
        c->verdict == VERDICT_OUT_OF_MEMORY)
        return (struct replay_conditions){.before = true};
    return conditions(c->cause,
                      repetitions(c->cause, c->failed_runs, c->runs, launch_workers(c->launch)));
}

/* No case comes before the smallest one. It was found by calls with other values. */
struct replay_conditions replay_conditions_smallest(const struct smallest_result *s,
                                                    enum cause cause)
{
    return conditions(cause,
                      repetitions(cause, s->failed_runs, s->runs, launch_workers(s->launch)));
}

void replay_options(struct replay_conditions how, char out[REPLAY_OPTIONS])
{
    out[0] = '\0';
    if (how.before)
        snprintf(out, REPLAY_OPTIONS, " --before");
    else if (how.fill)
        snprintf(out, REPLAY_OPTIONS, " --fill");
    else if (how.repeat)
        snprintf(out, REPLAY_OPTIONS, " --repeat %d", how.repeat);
}
