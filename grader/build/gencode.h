/* gencode.h - for which GPU architectures nvcc compiles a tier. */
#ifndef BUILD_GENCODE_H
#define BUILD_GENCODE_H

#include "model/assignment.h"

/* nvcc's -gencode options for the tier's architectures; without these, for the GPU that nvidia-smi
 * reports; without a GPU, none, and nvcc decides. A NULL-terminated vector: free it with
 * proc_argv_free(). */
char **gencode_flags(const struct tier *t);

#endif
