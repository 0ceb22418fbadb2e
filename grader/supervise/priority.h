/*
 * priority.h - scheduling priority. Timed code should not lose its core to other programs. The
 * proctor must not wait for a core while it times, because a driver that spins does not give its
 * core away.
 *
 * A raised priority needs privileges that accounts of students and instructors lack. Then nothing
 * happens, and all processes have the same priority.
 */
#ifndef SUPERVISE_PRIORITY_H
#define SUPERVISE_PRIORITY_H

enum { PRIORITY_USUAL = 0, PRIORITY_TIMED = -20 };

/* Set the nice value of this process, and of its autogroup. Async-signal-safe. */
void priority_set(int nice);

#endif
