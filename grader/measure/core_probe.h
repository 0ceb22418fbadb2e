/*
 * core_probe.h - is each core of a launch as fast as the others?
 *
 * The yardstick runs on the first core of a launch. Another guest of the host may take one of the
 * other cores and leave the first alone; the scheduler of this system does not show that. So all
 * cores repeat the same arithmetic for some milliseconds, at the same time.
 *
 * A program of this system may take a core, too. It takes turns every few milliseconds with the
 * threads that do the arithmetic, so a short probe can fall between its turns. But the scheduler
 * shows that these threads waited.
 */
#ifndef MEASURE_CORE_PROBE_H
#define MEASURE_CORE_PROBE_H

struct busy_cores;

/* The rate of a core without interference, rounds per nanosecond: the upper quartile of what all of
 * these cores reached in several rounds. NAN for a single core, which is not probed, because the
 * yardstick runs on it. */
double core_probe_expected(const int *cpus, int count);

/* The factor by which the slowest of the cores is slower than expected, by its rate or by the time
 * for which its thread waited; 1 to 100. The other cores
 * go on working (busy_cores.h). busy: of these cores; NULL: there is one core, and the factor is 1.
 */
double core_probe(struct busy_cores *busy, const int *cpus, int count, double expected);

/* All cores rest for two milliseconds. A hypervisor may have put two of them on one core of the
 * host. It leaves them there while they work, and finds new places when they begin again: on a
 * crowded host with two cores, this state lasted for 1.6 s on average while they worked on, and for
 * 0.2 s with these rests. */
void core_probe_rest(struct busy_cores *busy);

#endif
