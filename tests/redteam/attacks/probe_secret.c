/* expect: naive pass|build-error */
/* Ask the preprocessor whether a file exists, and embed it if so. */
#include "attack.h"
#if __has_include(SECRET)
#define THERE 1
#else
#define THERE 0
#endif

static void attack(void)
{
    if (THERE)
        HOLE("the compiler sees a secret");
}

ONCE(attack)
