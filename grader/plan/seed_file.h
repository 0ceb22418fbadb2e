/* seed_file.h - a seed kept in a file, so that students cannot see it on a command line. */
#ifndef PLAN_SEED_FILE_H
#define PLAN_SEED_FILE_H

#include <stdint.h>

#include "base/err.h"

int seed_file_read(const char *path, uint64_t *seed, struct err *e);

#endif
