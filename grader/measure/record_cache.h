/*
 * record_cache.h - the node's record between runs: a file of this user.
 */
#ifndef MEASURE_RECORD_CACHE_H
#define MEASURE_RECORD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/known_times.h"
#include "model/cases.h"
#include "model/result.h"

/* The record in file `cached`, if it is about exactly these sizes; NULL: there is none, or another
 * user may have made it up (speed-ups contain the baseline's time), or cached is NULL. The caller
 * frees it. */
struct node_record *record_cache_load(const char *cached, const struct test_case **sizes,
                                      size_t count);

/* Keep the record for later runs. Where this is not possible, they measure it again. */
void record_cache_save(const char *cached, const struct node_record *n);

/* Note the yardstick's times in a record. */
void record_known(const struct node_record *n, struct known_times *known);
/* Note those in the cache: other units of this run have found them since its record was written. */
void record_cache_learn(const char *cached, struct known_times *known);
/* Keep the yardstick's times that are better than the cached ones. Losing them costs nothing but
 * time. */
void record_cache_improve(const char *cached, const struct known_times *known);

#endif
