/*
 * priority.h - who gets a core first. Timed code should not lose its core to whatever else runs;
 * the proctor must not wait for a core while it times, since a driver that spins keeps it.
 *
 * More than the usual priority needs privileges that a student's or instructor's account lacks:
 * then all have the same, and nothing happens.
 */
#ifndef SUPERVISE_PRIORITY_H
#define SUPERVISE_PRIORITY_H

enum { PRIORITY_USUAL = 0, PRIORITY_TIMED = -20 };

/* Of this process, as a nice value, in its scheduling group and of this group. Async-signal-safe.
 */
void priority_set(int nice);

#endif
