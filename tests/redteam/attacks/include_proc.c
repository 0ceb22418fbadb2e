/* expect: naive build-error */
/* The environment of the compiler's parent, through a header. */
#include "attack.h"
#include PARENT_ENVIRON
