/* visible_gpu.h - the one GPU that students' programs can use: the one on which they are timed. */
#ifndef SUPERVISE_VISIBLE_GPU_H
#define SUPERVISE_VISIBLE_GPU_H

struct visible_gpu {
    char *name; /* for CUDA_VISIBLE_DEVICES: its UUID, or as it was asked for where none is known */
    int file;   /* N of its device file nvidiaN; -1: not known */
};

/* Which GPU is asked for: a number in the order of PCI addresses, or a UUID. Of the GPUs that are
 * visible here it is the one that ACC_DEVICE_NUM counts off, else the first. Free it. */
char *visible_gpu_wanted(void);

/* The GPU of that name. Its file is not known where its driver says nothing in `proc` (normally
 * VISIBLE_GPU_PROC), or where the name is that of a part of a GPU (MIG). Files in `dev` that may
 * not be opened are of GPUs that CUDA does not count: so a number means another GPU to a process
 * that can open one file only, and a UUID means the same one. Free its name. */
struct visible_gpu visible_gpu_find(const char *wanted, const char *proc, const char *dev);

#define VISIBLE_GPU_PROC "/proc/driver/nvidia/gpus"

#endif
