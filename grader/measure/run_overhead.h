/*
 * run_overhead.h - which part of a timed run is the kernel's.
 *
 * A run lasts from GO until the driver is halted; on a device, until it says COMPUTED. What a run
 * without any problem takes is subtracted from its time: a process is resumed and halted, messages
 * come and go. Several threads or ranks take longer, since they are resumed one after the other and
 * wait for each other. On a device, a run without problems writes 4 bytes there, and is measured
 * after copies as large as those of long runs: then it takes as long as a run takes beside its
 * kernels. The 4 bytes are subtracted by the device's own events, as this is a driver of the
 * grader.
 *
 * On a device, the mask comes off the inputs (abi/mask.h) before the clock starts. What the kernel
 * must compute is not known yet (the pairing, abi/protocol.h), but a little could be prepared while
 * this takes longer than it must. So time by which it is late is added. For a kernel with one input
 * the mask comes off inside the run; the usual time of this is subtracted.
 *
 * After COMPUTED the output is copied back. COMPUTED belongs to the student's process, so it may
 * come too early: the copy then takes longer, since it waits for what the device still computes.
 * Time by which the copy is late is added.
 *
 * Nothing of this can be made to look longer by a unit. The overhead on the host is measured in the
 * unit's own driver before it loads the library (driver_start.h). That of a device is measured on a
 * driver of the same kind that has loaded no library, while no driver of a unit is alive.
 */
#ifndef MEASURE_RUN_OVERHEAD_H
#define MEASURE_RUN_OVERHEAD_H

#include "measure/harness.h"

/* n bytes take fixed + n * per_byte seconds. */
struct linear_cost {
    double fixed, per_byte;
};

struct run_overhead {
    struct harness *harness;
    struct driver_process *device; /* the yardstick's driver if it is of the unit's kind, or the
                                      harness's blank one; NULL: there is no device */
    double run;                    /* seconds of a run beside its kernels */
    struct linear_cost unmask;     /* by the bytes of the inputs that are copied */
    struct linear_cost copy;       /* by the bytes of the output that are copied */
};

/* Of one run: seconds. */
struct run_cost {
    double run;         /* a run of no problem; on a device, from GO to COMPUTED */
    double unmask;      /* to take the mask off */
    bool unmask_inside; /* this is part of the run */
    double copy;        /* the copy back */
    double most;        /* the share of a run that is subtracted at most */
};

/* Prepare for a unit: start the blank driver, if it uses a device and needs it. The harness must
 * live as long as *r. 0, or -1 with *o; then there is nothing to end. */
int run_overhead_start(struct run_overhead *r, struct harness *h, const struct driver_spec *unit,
                       struct outcome *o);

/* Of all operands of a problem. */
double problem_bytes(const struct kernel *k, struct shape s);

/* Of some shapes, the ones whose problems have the fewest and the most bytes. */
struct shape_range {
    struct shape least, most;
};
struct shape_range run_overhead_range(const struct kernel *k, const struct shape *shapes, size_t n);

/* Measure the costs of a device: with one problem of the smallest shape, and with as many problems
 * of the largest one as the arena can hold. Costs are interpolated for what is between; to
 * extrapolate them would multiply the error. No driver of a unit may be alive. Changes the layout
 * of the arena. 0, or -1 with *o. */
int run_overhead_measure(struct run_overhead *r, struct shape_range shapes, struct outcome *o);

/* For a run of a driver on the host. */
struct run_cost run_cost_on_host(const struct driver_process *d);

/* For a run of the unit's driver with the problems that the arena holds, so many. */
struct run_cost run_overhead_of(const struct run_overhead *r, const struct driver_process *unit,
                                const struct arena *a, unsigned reps);

/* Seconds by which the copy back and the mask were late. Each may take 5 % and 0.1 ms more than
 * expected. */
double run_late(const struct run_cost *c, double copied, double unmasked);

/* The kernel's part of a run of this length. At most a tenth of a run on the host is subtracted,
 * since on a busy node most empty runs may be too long, and half of a run on a device. */
double run_kernel_seconds(const struct run_cost *c, double seconds);
/* The same for a run from the upload on, in which the mask came off. */
double run_whole_seconds(const struct run_cost *c, double seconds);

void run_overhead_end(struct run_overhead *r);

#endif
