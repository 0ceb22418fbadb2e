/* import_lock.h - one import at a time: two would use the same scratch directory. */
#ifndef IMPORT_IMPORT_LOCK_H
#define IMPORT_IMPORT_LOCK_H

#include "base/err.h"

/* Make the directory if it is not there, and lock it until the descriptor that this returns is
 * closed. -1: another import has it, or it cannot be made. */
int import_lock(const char *to, struct err *e);

#endif
