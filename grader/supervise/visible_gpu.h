/* visible_gpu.h - the one GPU that students' programs can use: the one on which they are timed. */
#ifndef SUPERVISE_VISIBLE_GPU_H
#define SUPERVISE_VISIBLE_GPU_H

/* Its name for CUDA_VISIBLE_DEVICES: a number in the order of PCI addresses, or a UUID. Of the GPUs
 * that are visible here it is the one that ACC_DEVICE_NUM counts off, else the first. Free it. */
char *visible_gpu_name(void);

/* N of its device file nvidiaN, or -1 where that is not known: its driver says nothing in `proc`
 * (normally /proc/driver/nvidia/gpus), or the name is that of a part of a GPU (MIG). Files in `dev`
 * that may not be opened are of GPUs that CUDA does not count. */
int visible_gpu_file(const char *name, const char *proc, const char *dev);

#endif
