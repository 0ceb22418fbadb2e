/*
 * node_ceilings.h - the ceilings of a node by the number of its cores: one core, all cores, and the
 * powers of two between.
 */
#ifndef MEASURE_NODE_CEILINGS_H
#define MEASURE_NODE_CEILINGS_H

#include "model/result.h"
#include "supervise/cores.h"

/* Sample each ceiling once. A sample can only raise what the record has. Memory is sampled only if
 * asked for, because it takes half of the time. */
void node_ceilings_sample(struct node_record *n, const struct cores *cores, enum element_type type,
                          bool memory);

/* Raise the record's ceilings to these: `count` by the number of workers, on the same cores. */
void node_ceilings_raise(struct node_record *n, const struct ceiling *c, unsigned count);

#endif
