/* expect: openmpi forbidden */
/* mpirun starts a program that has ended again when the ranks are halted. It could work while they
 * are. */
#include "attack.h"

SPAWNS(1000000, "/bin/true")
