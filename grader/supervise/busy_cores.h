/*
 * busy_cores.h - threads that keep the cores of a launch at work until a run begins.
 *
 * A core that was idle for some milliseconds is slow for the next ones: its clock rate has dropped,
 * or a hypervisor has to find a free core for it again. (On a virtual machine with two cores, the
 * second one began at half of its rate, and reached all of it after 8 ms.) A launch with several
 * threads or ranks would lose this time in each run, since its cores idle while the yardstick runs
 * on the first one.
 *
 * The threads repeat the same arithmetic and count how often. So they also show how fast each core
 * is.
 */
#ifndef SUPERVISE_BUSY_CORES_H
#define SUPERVISE_BUSY_CORES_H

#include <stdint.h>

struct busy_cores;

/* A thread for each of these cores but the first one, where the caller works. They rest. NULL: not
 * all threads could be started. To be ended by busy_cores_end(). */
struct busy_cores *busy_cores_start(const int *cpus, int count);
/* The threads work until busy_cores_rest() is called; then they leave their cores within some
 * microseconds. b may be NULL. */
void busy_cores_work(struct busy_cores *b);
void busy_cores_rest(struct busy_cores *b);
/* The number of rounds of work on core i so far, i from 1. */
uint64_t busy_cores_rounds(const struct busy_cores *b, int i);
/* Nanoseconds for which the thread on core i, or for 0 the caller, was ready to run and did not run
 * so far: another thread had the core. 0: the kernel keeps no such times. */
uint64_t busy_cores_waited(const struct busy_cores *b, int i);
void busy_cores_end(struct busy_cores *b); /* b may be NULL */

/* The caller does the same work for so long. Returns the number of rounds, of some microseconds. */
uint64_t busy_cores_work_here(uint64_t ns);

/* Processor time that was spent on this work in this process: by the threads until they last
 * rested, and by callers. */
double busy_cores_seconds(void);

#endif
