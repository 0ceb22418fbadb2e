/*
 * node_driver.h - what all drivers of a tier have in common on this node: those of units and
 * yardsticks.
 */
#ifndef PROCTOR_NODE_DRIVER_H
#define PROCTOR_NODE_DRIVER_H

#include "proctor/node_context.h"
#include "supervise/driver_process.h"

/* The caller adds the program, the library, the launch, the directories and the cores. */
struct driver_spec node_driver_spec(struct node_context *n, const struct tier *t);

#endif
