/*
 * priority.h - scheduling priority. Timed code should not lose its core to other programs. The
 * proctor must have the priority of the drivers as long as one runs: ranks that wait for others
 * spin, and would not give it a core. (With four ranks on two cores, each run took 4 ms longer.)
 *
 * A raised priority needs privileges that accounts of students and instructors lack. Then nothing
 * happens, and all processes have the same priority. The same when the proctor was started with a
 * lower priority than usual (`nice` of the site's settings): somebody wants it to give way to
 * others.
 */
#ifndef SUPERVISE_PRIORITY_H
#define SUPERVISE_PRIORITY_H

enum { PRIORITY_USUAL = 0, PRIORITY_TIMED = -20 };

/* Set the nice value of this process, and of its autogroup. Async-signal-safe. */
void priority_set(int nice);

#endif
