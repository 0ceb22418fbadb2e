/*
 * stop.h - the request to stop that a signal makes: executors poll it and end in a tidy way.
 */
#ifndef EXECUTE_STOP_H
#define EXECUTE_STOP_H

#include <signal.h>

/* The number of the signal that asked; 0: none yet. */
extern volatile sig_atomic_t execute_stop;

/* From now on the first SIGINT, SIGTERM or SIGHUP sets execute_stop; a second one has its usual
 * effect. To be called before the run is locked: a process that gets a signal a moment later must
 * still remove the lock. */
void execute_catch_signals(void);

#endif
