/*
 * measured_json.h - how shapes and intervals are written in results and node records.
 */
#ifndef RUNDIR_MEASURED_JSON_H
#define RUNDIR_MEASURED_JSON_H

#include "base/json.h"
#include "model/result.h"

/* New references. */
json_t *interval_to_json(struct interval i);
json_t *shape_to_json(struct shape s);

/* An empty list is no shape: all dimensions 0. -1: it is something else. */
int shape_from_json(const json_t *list, struct shape *s);

/* The field `key` of `o`. */
struct interval interval_read(struct json_reader *rd, const json_t *o, const char *key);
struct shape shape_read(struct json_reader *rd, const json_t *o, const char *key);

#endif
