/* cores.h - the cores of the allocation, the least busy ones of them, and the proctor's own core.
 */
#ifndef SUPERVISE_CORES_H
#define SUPERVISE_CORES_H

enum { CORES_MAX = 1024 };

struct cores {
    int id[CORES_MAX];
    int count;
};

/* The cores that this process may use: its affinity mask, as Slurm or taskset set it. */
void cores_allocated(struct cores *out);
/* The `want` least busy cores in ascending order, as observed for some hundredths of a second. All
 * cores when want >= all->count. */
void cores_quietest(const struct cores *all, int want, struct cores *out);

/* The proctor's own core. While it times drivers, the proctor works on the drivers' first core
 * between the runs. Otherwise that core would be idle for some milliseconds and slow afterwards:
 * its clock rate drops, or a hypervisor gives it away. Another busy core may be the second hardware
 * thread of the first and slow it down.
 *
 *   settle      work on `core` from now on
 *   step_aside  move to another core while a driver is resumed, so that the proctor does not lose
 * its core before it has resumed all ranks: to `core`, or to any other one if it is -1 roam use any
 * core, during a run back        return to the core of settle leave       end this; use any core
 * again
 *
 * step_aside, roam and back do nothing without settle. */
void cores_settle(int core);
void cores_step_aside(int core);
void cores_roam(void);
void cores_back(void);
void cores_leave(void);

#endif
