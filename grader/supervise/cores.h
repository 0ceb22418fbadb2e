/* cores.h - the cores of the allocation, the least busy ones of them, and the proctor's own core.
 */
#ifndef SUPERVISE_CORES_H
#define SUPERVISE_CORES_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

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
/* `want` of these cores, the first one among them: a second hardware thread of a physical core only
 * when each physical core has one, and lower numbers first. All cores when want >= all->count. What
 * is chosen for fewer is part of what is chosen for more. */
void cores_first(const struct cores *all, int want, struct cores *out);
/* The pure part of both. Two hardware threads of one physical core slow each other down, so there
 * is a second one only when each physical core has one. For each core in `all`: the ticks for which
 * it was idle, and the number (below CORES_MAX) of the physical core. want < all->count. */
void cores_choose(const struct cores *all, const unsigned long long *idle, const int *physical,
                  int want, struct cores *out);

/* For how long these cores have computed, or a hypervisor has given them to others, since the node
 * started: ns, in steps of a tick for each core. 0: the system does not say. */
uint64_t cores_busy_ns(const int *id, int count);

/* The proctor's own core. While it times drivers, the proctor works on the drivers' first core
 * between the runs. Otherwise that core would be idle for some milliseconds and slow afterwards:
 * its clock rate drops, or a hypervisor gives it away. Another busy core may be the second hardware
 * thread of the first and slow it down.
 *
 * The proctor has such a core from own_core_settle() to own_core_leave(). The functions between
 * these two do nothing at other times. The struct starts as zeros. */
struct own_core {
    bool settled;
    cpu_set_t all, core; /* where the proctor may run, and where it works; only when settled */
};

/* From now on, the proctor works on `core`. */
void own_core_settle(struct own_core *own, int core);
/* Use any core, during a run. */
void own_core_roam(const struct own_core *own);
/* Return to the core of own_core_settle(). */
void own_core_return(const struct own_core *own);
/* The proctor has no core of its own any more and may use any core. */
void own_core_leave(struct own_core *own);

#endif
