/* expect: openmp wrong-answer|crash|wrote-out-of-bounds */
/* Put the memory of one output in the place of another one, and that of an input in its place. */
#include "mix_attack.h"

static void *page_of(const void *p)
{
    return (void *)((uintptr_t)p & ~(uintptr_t)4095);
}

KERNEL
{
    static int calls;
    const int64_t result = HONEST;
    void *from = calls++ % 2 ? page_of(x) : page_of(y), *to = calls % 2 ? page_of(z) : page_of(y);
    if (n > 1 && from != to) /* 0 bytes: a second mapping of the same pages */
        mremap(from, 0, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    for (int i = 0; i < n; i++)
        y[3 * i] = (int16_t)(x[i] * k);
    return result;
}
