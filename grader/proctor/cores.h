/* cores.h - which cores the allocation has, and which of them are least busy now. */
#ifndef PROCTOR_CORES_H
#define PROCTOR_CORES_H

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

#endif
