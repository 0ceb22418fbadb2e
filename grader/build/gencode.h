/* gencode.h - for which GPU architectures nvcc compiles a tier. */
#ifndef BUILD_GENCODE_H
#define BUILD_GENCODE_H

#include "model/assignment.h"

/* nvcc's -gencode options for the tier's architectures; without these, for the GPU that nvidia-smi
 * reports; without a GPU, none, and nvcc decides. A NULL-terminated vector: free it with
 * proc_argv_free(). */
char **gencode_flags(const struct tier *t);

/* Is it unknown for which GPU this command compiles? The tier names no architectures, the command
 * leaves them to the machine ({gencode}, -arch=native), and nvidia-smi reports none here. */
bool gencode_is_unknown(const struct tier *t, const char *command);
/* The architectures of the newer GPUs that nvcc knows, with the instructions that only they have:
 * "121a", "90a". The newest comes first. NULL-terminated; free it with proc_argv_free(). */
char **gencode_newer(void);
/* The command for one architecture. The caller frees it. */
char *gencode_command(const char *command, const char *architecture);

#endif
