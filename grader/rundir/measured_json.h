/*
 * measured_json.h - how lists, shapes and samples are written in results and node records.
 */
#ifndef RUNDIR_MEASURED_JSON_H
#define RUNDIR_MEASURED_JSON_H

#include "base/json.h"
#include "model/result.h"

/* New references. */
json_t *samples_to_json(const struct sample *s, unsigned n);
json_t *shape_to_json(struct shape s);
/* The nodes of a launch, and the GPUs of each process, if there are several. Of one, nothing is
 * said. */
void launch_to_json(json_t *o, const char *nodes, const char *gpus, struct launch l);

/* An empty list is no shape: all dimensions 0. -1: it is something else. */
int shape_from_json(const json_t *list, struct shape *s);

/* The field `key` of `o`. */
/* *n samples, which the caller frees, also after a failure. */
struct sample *samples_read(struct json_reader *rd, const json_t *o, const char *key, unsigned *n);
struct shape shape_read(struct json_reader *rd, const json_t *o, const char *key);

#endif
