/* clock.h - monotonic nanoseconds, processor time, and wall time for records. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

uint64_t clock_mono_ns(void);
/* The same, `ms` from now. */
uint64_t clock_deadline_ms(int64_t ms);
/* The processor time of the calling thread. */
uint64_t clock_thread_cpu_ns(void);
/* Wall-clock time as "2026-11-21T04:22:06Z". */
void clock_utc(char *out, size_t cap);
void clock_sleep_ms(unsigned ms);

#endif
