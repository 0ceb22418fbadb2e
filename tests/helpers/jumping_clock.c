/*
 * To be preloaded: the wall clock is up to a day off, and by something else every few milliseconds.
 * All other clocks are as they are (libfaketime bends those of processor time, too).
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
    static const long jumps[] = {-86400, 86400, -3600, 60, -1, 3600, 0};
    struct timespec now;
    long rc = syscall(SYS_clock_gettime, id, t);
    if (rc != 0 || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE))
        return (int)rc;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    t->tv_sec += jumps[(now.tv_sec * 200 + now.tv_nsec / 5000000) % 7];
    return 0;
}

time_t time(time_t *out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec t;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    *out = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    return 0;
}
