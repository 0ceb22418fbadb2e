/* expect: openmpi forbidden */
/* mpirun starts a program that goes on while the ranks are halted. */
#include "attack.h"

SPAWNS(300000, "/bin/sleep", "600")
