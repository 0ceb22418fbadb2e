/* visible_gpu.h - the GPUs that a launch of students' programs can use, as many as it asks for. */
#ifndef SUPERVISE_VISIBLE_GPU_H
#define SUPERVISE_VISIBLE_GPU_H

#include <stdbool.h>

struct visible_gpu {
    char *name; /* for CUDA_VISIBLE_DEVICES: its UUID, or as it was asked for where none is known */
    int file;   /* N of its device file nvidiaN; -1: not known */
};

/* Which GPU of a launch is asked for, the first one being 0: a number in the order of PCI
 * addresses, or a UUID. Of the GPUs that are visible here, the first one is that which
 * ACC_DEVICE_NUM counts off, and the others follow it. NULL: there are no more. Free it. */
char *visible_gpu_wanted(int which);

/* The GPU of that name. Its file is not known where its driver says nothing in `proc` (normally
 * VISIBLE_GPU_PROC), or where the name is that of a part of a GPU (MIG). Files in `dev` that may
 * not be opened are of GPUs that CUDA does not count: so a number means another GPU to a process
 * that can open one file only, and a UUID means the same one. Free its name. */
struct visible_gpu visible_gpu_find(const char *wanted, const char *proc, const char *dev);

#define VISIBLE_GPU_PROC "/proc/driver/nvidia/gpus"

/* The GPUs of a launch, on this node. */
struct visible_gpus {
    char *names; /* for CUDA_VISIBLE_DEVICES */
    int count;   /* fewer than were asked for where there are no more; at least 1 */
    int *file;   /* of each; -1: not known */
};

struct visible_gpus visible_gpus_find(int count);
void visible_gpus_free(struct visible_gpus *g);
/* May a process that uses these open the file nvidiaN? */
bool visible_gpus_have(const struct visible_gpus *g, int file);
/* How many GPUs this process may use; where nobody lists them, as many as any node has. */
int visible_gpus_count(void);

#endif
