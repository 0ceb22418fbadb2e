/* expect: openmp pass */
/* Look for the process of the trusted source, at what is in its memory, and at its files; stop it,
 * or slow it down. */
#include "mix_attack.h"

KERNEL
{
    static int done;
    if (!done++) {
        try_processes(NULL, 0);
        try_files();
    }
    const int64_t result = HONEST;
    return hole ? 0 : result;
}
