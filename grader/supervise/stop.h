/*
 * stop.h - the request to end, which a signal makes. Every loop that waits checks it.
 *
 * A signal also interrupts a system call that waits, but not one that begins just after the signal.
 * So the request is repeated every second until the process ends.
 */
#ifndef SUPERVISE_STOP_H
#define SUPERVISE_STOP_H

#include <signal.h>

extern volatile sig_atomic_t proctor_stop; /* nonzero: the proctor was told to end */

/* From now on SIGINT, SIGTERM and SIGHUP set proctor_stop. Uses alarm() after that. */
void proctor_catch_signals(void);

#endif
