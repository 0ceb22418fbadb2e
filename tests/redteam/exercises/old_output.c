/* expect: openmp wrong-answer */
/* Compute in the first calls only, and let their results stand. */
#include "mix_attack.h"

KERNEL
{
    static int calls;
    static int64_t result;
    return calls++ < 3 ? result = HONEST : result;
}
