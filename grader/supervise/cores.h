/* cores.h - which cores the allocation has, and which of them are least busy now. */
#ifndef SUPERVISE_CORES_H
#define SUPERVISE_CORES_H

enum { CORES_MAX = 1024 };

struct cores {
    int id[CORES_MAX];
    int count;
};

/* The cores this process may use (its affinity mask: what Slurm or taskset allowed). */
void cores_allocated(struct cores *out);
/* The `want` least busy of them, watched for a few hundredths of a second, in ascending order.
 * All of them when want >= count. */
void cores_quietest(const struct cores *all, int want, struct cores *out);

/* Between the runs that it times, the proctor works on their first core: a core that idles for some
 * milliseconds is slow afterwards - its clock falls, a hypervisor gives it to somebody else - and a
 * second busy core may be the other hardware thread of the first.
 *
 * settle: work there from now on. step_aside: to another core for the moment in which a driver is
 * told to go on, so that the proctor does not wait for its own core before it has told all ranks:
 * to `core`, or to any other one where that is -1. roam: go wherever there is room, for the time of
 * a run. These do nothing without settle. back: to that core again. leave: as before settle. */
void cores_settle(int core);
void cores_step_aside(int core);
void cores_roam(void);
void cores_back(void);
void cores_leave(void);

#endif
