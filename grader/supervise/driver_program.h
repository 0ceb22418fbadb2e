/* driver_program.h - where the installation keeps the driver of each launch kind. */
#ifndef SUPERVISE_DRIVER_PROGRAM_H
#define SUPERVISE_DRIVER_PROGRAM_H

#include "model/assignment.h"

/* Absolute path of the driver program for a launch kind. The file need not exist. The caller frees
 * the path. */
char *driver_program(enum launch_kind kind);

#endif
