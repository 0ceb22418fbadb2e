#include "report/replay_options.h"

#include <stdio.h>

#include "model/race.h"

/* With one worker, only the values and the old output decide whether a run fails: most do. */
enum { RUNS_OF_ONE_WORKER = 20 };

/* Even in a small case, some thread that is left is late in one of so many runs. */
enum { RUNS_OF_LEFT_THREADS = 200 };

void replay_options(enum cause cause, int failed_runs, int runs, int workers,
                    char out[REPLAY_OPTIONS])
{
    int repeat = failed_runs < runs ? RUNS_OF_ONE_WORKER : 0;
    out[0] = '\0';
    switch (cause) {
    case CAUSE_UNSET_MEMORY:
        snprintf(out, REPLAY_OPTIONS, " --fill");
        return;
    case CAUSE_EARLIER_CALLS:
        snprintf(out, REPLAY_OPTIONS, " --before");
        return;
    case CAUSE_LATER_CALLS:
    case CAUSE_OLD_OUTPUT:
        repeat = RUNS_OF_ONE_WORKER;
        break;
    case CAUSE_THREADS_LEFT:
        repeat = RUNS_OF_LEFT_THREADS;
        break;
    case CAUSE_RACE:
        repeat = race_repeat(failed_runs, runs);
        break;
    default:
        if (repeat && workers > 1)
            repeat = race_repeat(failed_runs, runs);
    }
    if (repeat)
        snprintf(out, REPLAY_OPTIONS, " --repeat %d", repeat);
}
