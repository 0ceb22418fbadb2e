#include "kernel/kernel.h"

#include <string.h>

#include "kernel/gemm_i32.h"

static const struct kernel *const kernels[] = {&kernel_gemm_i32};

const struct kernel *kernel_find(const char *name, enum element_type type)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i]->name, name) == 0 && kernels[i]->type == type)
            return kernels[i];
    return NULL;
}

void kernel_poison(void *dst, size_t bytes, uint64_t pattern)
{
    unsigned char *p = dst;
    size_t words = bytes / sizeof pattern;
    for (size_t i = 0; i < words; i++)
        memcpy(p + i * sizeof pattern, &pattern, sizeof pattern);
    memcpy(p + words * sizeof pattern, &pattern, bytes % sizeof pattern);
}
