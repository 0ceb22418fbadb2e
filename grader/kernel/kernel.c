#include "kernel/kernel.h"

#include <string.h>

#include "kernel/gemm.h"

/* The types of one kernel follow one another: kernel_names() relies on that. */
static const struct kernel *const kernels[] = {&kernel_gemm_i32, &kernel_gemm_f32,
                                               &kernel_gemm_f64};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

const struct kernel *kernel_find(const char *name, enum element_type type)
{
    for (size_t i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i]->name, name) == 0 && kernels[i]->type == type)
            return kernels[i];
    return NULL;
}

const char *const *kernel_names(void)
{
    static const char *names[KERNELS + 1];
    size_t n = 0;
    for (size_t i = 0; i < KERNELS; i++)
        if (n == 0 || strcmp(names[n - 1], kernels[i]->name) != 0)
            names[n++] = kernels[i]->name;
    return names;
}

void kernel_poison(void *dst, size_t bytes, uint64_t pattern)
{
    unsigned char *p = dst;
    size_t words = bytes / sizeof pattern;
    for (size_t i = 0; i < words; i++)
        memcpy(p + i * sizeof pattern, &pattern, sizeof pattern);
    memcpy(p + words * sizeof pattern, &pattern, bytes % sizeof pattern);
}
