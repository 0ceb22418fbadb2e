/* expect: naive build-error */
/* Let the compiler print a file. */
#include "/etc/shadow"
#include "attack.h"
