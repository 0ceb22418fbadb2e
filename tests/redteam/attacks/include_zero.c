/* expect: naive build-error */
/* A header without an end. */
#include "attack.h"
#include "/dev/zero"
