/* local.h - the executor that runs proctors on this machine. */
#ifndef EXECUTE_LOCAL_H
#define EXECUTE_LOCAL_H

#include "execute/executor.h"

extern const struct executor executor_local;

#endif
