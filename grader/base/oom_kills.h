/*
 * oom_kills.h - processes that the kernel has ended because memory ran out.
 */
#ifndef BASE_OOM_KILLS_H
#define BASE_OOM_KILLS_H

#include <stdint.h>

#define OOM_KILLS_UNKNOWN UINT64_MAX

/* Of this machine since it was started, also those of a job's own limit; or OOM_KILLS_UNKNOWN. */
uint64_t oom_kills(void);

/* The same, of the text of /proc/vmstat. Pure. */
uint64_t oom_kills_in(const char *vmstat);

#endif
