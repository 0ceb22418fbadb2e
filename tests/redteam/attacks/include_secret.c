/* expect: naive build-error */
/* Let the compiler print the instructor's file. */
#include "attack.h"
#include SECRET
