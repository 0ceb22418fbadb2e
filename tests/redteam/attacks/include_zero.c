/* expect: naive build-error */
/* A header without an end. */
#include "/dev/zero"
#include "attack.h"
