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

/* Room for the member number `count`, counted from 0, of a list that is read member by member. A
 * file may say that a list has more members than there is memory for; the first wrong one ends the
 * reading. New room is filled with zeros. The caller frees the list; NULL: there is none yet. */
void *list_one_more(void *list, unsigned count, size_t size);

/* An empty list is no shape: all dimensions 0. -1: it is something else. */
int shape_from_json(const json_t *list, struct shape *s);

/* The field `key` of `o`. */
/* *n samples, which the caller frees, also after a failure. */
struct sample *samples_read(struct json_reader *rd, const json_t *o, const char *key, unsigned *n);
struct shape shape_read(struct json_reader *rd, const json_t *o, const char *key);

#endif
