/* expect: wrong-answer */
#include "kernel.h"

KERNEL(stream)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)stream;
}
