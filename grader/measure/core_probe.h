/*
 * core_probe.h - is each core of a launch as fast as the others?
 *
 * The yardstick runs on the first core of a launch. Another guest of the host may take one of the
 * other cores and leave the first alone; the scheduler of this system does not show that. So a
 * thread on each core repeats the same arithmetic for some milliseconds, all at the same time.
 */
#ifndef MEASURE_CORE_PROBE_H
#define MEASURE_CORE_PROBE_H

/* The rate of a core without interference: the upper quartile of what all of these cores reached in
 * several rounds. NAN for a single core, which is not probed, because the yardstick runs on it. */
double core_probe_expected(const int *cpus, int count);

/* The factor by which the slowest of the cores is slower than expected; 1 to 100. */
double core_probe(const int *cpus, int count, double expected);

#endif
