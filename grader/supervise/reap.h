/*
 * reap.h - collect a child that has ended. The kernel removes the files of the child from /proc
 * then. If another process, or an exiting thread of the child, is removing some of them at this
 * moment, the kernel spins until they are gone. A proctor of high priority then keeps the core from
 * the one that it waits for: a run of two nodes spent 10 to 20 s of processor time so. Hence a
 * child is collected at the usual priority.
 */
#ifndef SUPERVISE_REAP_H
#define SUPERVISE_REAP_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Collect a child that has ended; false if it has not, or if there is no such child. `status` and
 * `used` may be NULL. */
bool reap(pid_t child, int *status, struct rusage *used);

/* Wait until a child ends, and collect it. */
void reap_wait(pid_t child, int *status);

#endif
