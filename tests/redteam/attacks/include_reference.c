/* expect: naive build-error */
/* Hand in the reference. */
#include "attack.h"
#include REFERENCE_NAIVE
