/*
 * driver_halt.h - halt a driver process and let it run again, and charge the processor time that it
 * uses while no clock runs. The rule of the clock is in driver_process.h.
 */
#ifndef SUPERVISE_DRIVER_HALT_H
#define SUPERVISE_DRIVER_HALT_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/driver_process.h"
#include "supervise/outcome.h"
#include "supervise/supervisor.h"

/* Note which children the proctor has: drivers, launchers, and what a launcher leaves to the
 * proctor when it starts. Call it before a library is loaded: no student has started any of them.
 */
void driver_know_children(struct supervisor *s);

/* Stop every process of the driver, and wait until all of its threads are stopped. Sets
 * d->violation when they do not stop, or when there is a new process. */
void driver_halt(struct driver_process *d);
void driver_resume(struct driver_process *d);
/* Resume those on other nodes alone. */
void driver_resume_elsewhere(struct driver_process *d);

/* Is a driver that does not stop given up? waited_ns: since it was told to stop; in_kernel: all of
 * its threads are stopped or wait in the kernel; ran_ns: its processor time since then. OUTCOME_OK:
 * wait on. OUTCOME_STUCK, OUTCOME_STARVED, OUTCOME_PROTOCOL: it is given up for this reason. Pure.
 */
enum outcome_kind halt_given_up(uint64_t waited_ns, bool in_kernel, uint64_t ran_ns);

/* Processor time of all processes of the driver so far, ns. */
uint64_t driver_cpu_ns(const struct driver_process *d);
/* procfs_reaped_faults() of the launcher and of all processes below it. */
uint64_t driver_reaped_faults(const struct driver_process *d);

/* The charge for processor time off the clock, from one reading of processor time and clock to
 * another: at most the time that has passed, since all threads together cannot save more than that.
 * (The processor time of a running thread is known only up to the last tick, so the difference may
 * also appear too large.) All in ns. Pure. */
uint64_t off_the_clock(uint64_t cpu_from, uint64_t cpu_to, uint64_t from, uint64_t to);

/* The charge for the pause before a request: for processor time between the last halt and `go_ns`.
 * cpu_ns: driver_cpu_ns() right before GO. 0 when the driver was not halted. */
uint64_t driver_charge_before_go(const struct driver_process *d, uint64_t cpu_ns, uint64_t go_ns);

/* Halt the driver, which said DONE at *done_ns, and return the charge for what ran since then. On
 * the host *done_ns becomes the time right before the halt, so that no time lies between what is
 * timed and what is charged. */
uint64_t driver_halt_after_done(struct driver_process *d, uint64_t *done_ns);

/* True with *o filled when d->violation is set. */
bool driver_violated(const struct driver_process *d, struct outcome *o);

#endif
