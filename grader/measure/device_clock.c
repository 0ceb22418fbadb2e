#include "measure/device_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/strbuf.h"

/* The device's events do not contain the time to wake the driver and to wait for the device. This
 * does not explain a difference that is more than this share of the time and more than these
 * seconds. */
#define CLOCKS_APART_SHARE 0.1
#define CLOCKS_APART_SECONDS 1e-3

/* A copy back may take so much longer than the yardstick's: seconds, and a share of its time. */
#define COPY_LATE_SHARE 0.05
#define COPY_LATE_SECONDS 1e-4

void device_compare_clocks(const struct block *blocks, unsigned count, double expected,
                           struct finding *f)
{
    double *apart = xcalloc(count + 1, sizeof *apart);
    double *took = xcalloc(count + 1, sizeof *took);
    size_t n = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct block *b = &blocks[i];
        if (b->device <= 0 || !block_accepted(b, expected))
            continue;
        took[n] = b->unit * b->reps;
        apart[n++] = (b->unit - b->device) * b->reps;
    }
    const double difference = n ? stats_median(apart, n) : 0, total = n ? stats_median(took, n) : 0;
    free(apart);
    free(took);
    if (fabs(difference) <= CLOCKS_APART_SECONDS || fabs(difference) <= CLOCKS_APART_SHARE * total)
        return;
    f->verdict = VERDICT_CLOCK_MISMATCH;
    snprintf(f->message, sizeof f->message,
             "took %.3g ms by the grader's clock, but %.3g ms by the device's events: %s",
             total * 1e3, (total - difference) * 1e3,
             difference > 0 ? "work outside the given stream" : "the events cannot be true");
}

void device_compare_copies(const struct block *blocks, unsigned count, double expected,
                           struct finding *f)
{
    double *late = xcalloc(count + 1, sizeof *late);
    double *usual = xcalloc(count + 1, sizeof *usual);
    size_t n = 0;
    for (unsigned i = 0; i < count; i++) {
        if (blocks[i].yard_copied <= 0 || !block_accepted(&blocks[i], expected))
            continue;
        late[n] = blocks[i].copied - blocks[i].yard_copied;
        usual[n++] = blocks[i].yard_copied;
    }
    const double later = n ? stats_median(late, n) : 0, copy = n ? stats_median(usual, n) : 0;
    free(late);
    free(usual);
    if (later <= COPY_LATE_SECONDS + COPY_LATE_SHARE * copy)
        return;
    f->verdict = VERDICT_CLOCK_MISMATCH;
    snprintf(f->message, sizeof f->message,
             "copying C back took %.3g ms, where the yardstick's takes %.3g ms: the device was "
             "still computing after the driver had said that it was done",
             (copy + later) * 1e3, copy * 1e3);
}
