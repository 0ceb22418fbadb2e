/* stop.h - set by the proctor's signal handlers; everything that waits looks at it. */
#ifndef SUPERVISE_STOP_H
#define SUPERVISE_STOP_H

#include <signal.h>

extern volatile sig_atomic_t proctor_stop;

#endif
