/*
 * ceilings_cache.h - the ceilings of a node between runs of any assignment: a file of this user.
 *
 * A ceiling is the best of all samples. So that short runs need not measure what the last one has
 * just measured, a minute passes between two samples.
 */
#ifndef MEASURE_CEILINGS_CACHE_H
#define MEASURE_CEILINGS_CACHE_H

#include "model/result.h"

enum ceilings_cached {
    CEILINGS_NONE,  /* nothing is kept, or another user may have made it up */
    CEILINGS_OLD,   /* it is time for another sample */
    CEILINGS_RECENT /* or not */
};

/* Raise the record's ceilings to those in file `cached`, which may be NULL. */
enum ceilings_cached ceilings_cache_take(const char *cached, struct node_record *n);

/* Keep the record's ceilings, after a sample. */
void ceilings_cache_save(const char *cached, const struct node_record *n);

#endif
