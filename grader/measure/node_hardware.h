/*
 * node_hardware.h - the name and the hardware of this node, and what runs below the programs.
 */
#ifndef MEASURE_NODE_HARDWARE_H
#define MEASURE_NODE_HARDWARE_H

#include "model/result.h"

/* The name under which the records and results of this node are kept: Slurm's name of the node, or
 * else the host name. The caller frees it. */
char *node_key(void);

/* Fill in the processor's model, its caches and the number of cores of the whole node. */
void node_describe(struct node_record *n);
/* Fill in Linux, the microcode and the driver of the GPU: what an administrator may have
 * changed since the record was measured. */
void node_describe_software(struct node_record *n);

#endif
