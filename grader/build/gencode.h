/* gencode.h - for which GPU architectures nvcc compiles a tier. */
#ifndef BUILD_GENCODE_H
#define BUILD_GENCODE_H

#include "model/assignment.h"

/* nvcc's -gencode options: for the tier's architectures, else for the GPU present as nvidia-smi
 * names it; none (nvcc's own choice) where there is neither. A NULL-terminated vector, to be freed
 * with proc_argv_free(). */
char **gencode_flags(const struct tier *t);

#define GENCODE_TEXT 16

/* "9.0" -> "90a": the architecture of a compute capability, with the instructions that only it has.
 * False for anything else. */
bool gencode_architecture(const char *capability, char out[GENCODE_TEXT]);

#endif
