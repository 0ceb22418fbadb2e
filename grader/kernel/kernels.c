/* kernels.c - the list of all kernels. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/kernel.h"

static const struct kernel *const kernels[] = {
#define KERNEL(name) &kernel_##name,
#include "kernel/kernels.def"
#undef KERNEL
};

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
    /* The types of one kernel follow one another. */
    static const char *names[KERNELS + 1];
    size_t n = 0;
    for (size_t i = 0; i < KERNELS; i++)
        if (n == 0 || strcmp(names[n - 1], kernels[i]->name) != 0)
            names[n++] = kernels[i]->name;
    return names;
}

char *kernel_types(const char *name)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i]->name, name) == 0)
            strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", type_name(kernels[i]->type));
    return strbuf_detach(&sb);
}
