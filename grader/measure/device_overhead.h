/*
 * device_overhead.h - which part of a run on a device is the kernel's.
 *
 * A run lasts from GO until the driver is halted. The driver says COMPUTED in between, and copies
 * the output back. All three times belong to the student's process, so COMPUTED may come too early:
 * the copy then takes longer, since it waits for what the device still computes.
 *
 * The time that counts is the time from GO to COMPUTED. What a run without any problem takes is
 * subtracted: messages, waking and halting the driver, and removing the mask from the inputs
 * (abi/mask.h). Time by which the copy is late is added.
 *
 * Both are measured on a driver of the same kind that has loaded no library, while no driver of a
 * unit is alive. So no unit can make them look longer.
 */
#ifndef MEASURE_DEVICE_OVERHEAD_H
#define MEASURE_DEVICE_OVERHEAD_H

#include "measure/harness.h"

/* n bytes take fixed + n * per_byte seconds. */
struct linear_cost {
    double fixed, per_byte;
};

struct device_overhead {
    struct harness *harness;
    struct driver_process *driver; /* the yardstick's if it is of the same kind, or the harness's
                                      blank one; NULL: nothing is copied, all costs are 0 */
    struct linear_cost run;        /* by the bytes of the inputs */
    struct linear_cost copy;       /* by the bytes of the output */
};

/* Of one run: seconds. */
struct device_cost {
    double run;  /* a run of no problem, from GO to COMPUTED */
    double copy; /* the copy back */
};

/* Prepare for a unit whose driver is alive: start the blank driver, if it is needed. The harness
 * must live as long as *d. 0, or -1 with *o; then there is nothing to end. */
int device_overhead_start(struct device_overhead *d, struct harness *h,
                          const struct driver_process *unit, struct outcome *o);

/* Measure the costs, with one problem of a shape and with as many as the arena can hold. No driver
 * of a unit may be alive. Changes the layout of the arena. 0, or -1 with *o. */
int device_overhead_measure(struct device_overhead *d, struct shape shape, struct outcome *o);

/* For a run with the problems that the arena holds. */
struct device_cost device_overhead_of(const struct device_overhead *d, const struct arena *a);

/* Seconds by which a copy that took `copied` seconds was late. A copy may take 5 % and 0.1 ms more
 * than expected. */
double device_copy_late(const struct device_cost *c, double copied);

/* The kernel's part of a run from GO to COMPUTED. At least half of it. */
double device_kernel_seconds(const struct device_cost *c, double seconds);

void device_overhead_end(struct device_overhead *d);

#endif
