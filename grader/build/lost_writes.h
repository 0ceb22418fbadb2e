/*
 * lost_writes.h - variables of which each OpenMP thread has a copy, and that are read after the
 * parallel region as if the copies were kept, as gcc understands the source (gimple.h). Pure.
 */
#ifndef BUILD_LOST_WRITES_H
#define BUILD_LOST_WRITES_H

/* "sum is set in copies of threads (openmp.c:7), ..." for the first such variable; "" when there is
 * none. The caller frees it. */
char *lost_writes_read(const char *dump);

#endif
