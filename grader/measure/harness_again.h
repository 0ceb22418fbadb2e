/*
 * harness_again.h - a case that failed is run again, with the same values, to find out why.
 */
#ifndef MEASURE_HARNESS_AGAIN_H
#define MEASURE_HARNESS_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "measure/harness_check.h"

enum { AGAIN_MOST = 8 };

/* What the runs have shown. */
struct again {
    int runs, wrong;
    bool first_wrong;                  /* the first run */
    char wrongs[AGAIN_MOST][HASH_HEX]; /* the outputs of wrong runs that differ from each other */
    int different;
};

/* Run the batch, of one problem, `runs` times (AGAIN_MOST at most), one by one, and for no longer
 * than `ns` where that is not 0. All runs have the same values and the same poison: elements that
 * are not written must not make outputs different. Fills *a, and adds the runs to *f. 0, or -1 with
 * *o: the driver is lost. */
int harness_again(struct harness *h, const struct batch *b, int runs, uint64_t ns, struct again *a,
                  struct finding *f, struct outcome *o);

/* After a run on the host: let the driver go on for a moment, although nothing is asked of it. True
 * if the output of the first problem changes: threads that the kernel has left still write. */
bool harness_changes_later(struct harness *h, struct driver_process *d, size_t bytes);

#endif
