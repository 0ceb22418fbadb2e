/* stop.h - set by the proctor's signal handlers; everything that waits looks at it. */
#ifndef PROCTOR_STOP_H
#define PROCTOR_STOP_H

#include <signal.h>

extern volatile sig_atomic_t proctor_stop;

#endif
