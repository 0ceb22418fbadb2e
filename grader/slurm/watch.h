/*
 * watch.h - results on disk, elements in the queue, and units that were lost.
 */
#ifndef SLURM_WATCH_H
#define SLURM_WATCH_H

#include "slurm/work.h"

/* Check whether there are results of tracked units. */
void watch_results(struct slurm_work *s);
/* Tell people how far the units are. */
void watch_tell(struct slurm_work *s);
/* Ask for the queue, and find out what became of elements that left it without a result. */
int watch_queue(struct slurm_work *s, struct err *e);

#endif
