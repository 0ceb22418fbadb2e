/*
 * stop.h - the request to end. The proctor's signal handlers set it; every loop that waits checks
 * it.
 */
#ifndef SUPERVISE_STOP_H
#define SUPERVISE_STOP_H

#include <signal.h>

extern volatile sig_atomic_t proctor_stop; /* nonzero: the proctor was told to end */

#endif
