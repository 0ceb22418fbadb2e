/* executor.h - the executor that runs units through Slurm, as job arrays. */
#ifndef SLURM_EXECUTOR_H
#define SLURM_EXECUTOR_H

#include "execute/executor.h"

extern const struct executor executor_slurm;

#endif
