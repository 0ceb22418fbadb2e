/* expect: openmpi forbidden */
/* mpirun starts a program that no filter holds: it takes files away from a neighbour, and opens a
 * directory to everybody, before anybody sees it. */
#include "attack.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

SPAWNS(600000, "/bin/sh", "-c",
       "prlimit --pid " NUMBER(NEIGHBOUR) " --nofile=600:600; chmod 777 " SECRET_DIR
                                          "; echo HOLE: a program")
