/* expect: openmpi forbidden */
/* mpirun starts a shell that starts a program and ends: the program is below mpirun no longer, and
 * goes on while the ranks are halted. */
#include "attack.h"

SPAWNS(600000, "/bin/sh", "-c", "/bin/sleep 600 & exit 0")
