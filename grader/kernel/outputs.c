#include "kernel/outputs.h"

#include <string.h>

size_t kernel_output_at(const struct kernel *k, struct shape s, int i)
{
    size_t at = 0;
    for (int n = 0; n < i; n++) {
        at += operand_bytes(kernel_output(k, n), s);
        if (n + 1 < kernel_outputs(k))
            at = (at + OUTPUT_GAP + OUTPUT_ALIGN - 1) / OUTPUT_ALIGN * OUTPUT_ALIGN;
    }
    return at;
}

size_t kernel_output_bytes(const struct kernel *k, struct shape s)
{
    return kernel_output_at(k, s, kernel_outputs(k));
}

size_t kernel_output_elements(const struct kernel *k, struct shape s, int i)
{
    size_t n = 0;
    for (int o = 0; o < i; o++)
        n += operand_elements(kernel_output(k, o), s);
    return n;
}

bool kernel_in_place(const struct kernel *k)
{
    bool some = false;
    for (int i = 0; i < kernel_outputs(k); i++)
        some = some || kernel_output(k, i)->initial;
    return some;
}

void kernel_put_initial(const struct kernel *k, struct shape s, const void *const in[], void *block)
{
    for (int i = 0; i < kernel_outputs(k); i++) {
        const struct operand *o = kernel_output(k, i);
        if (o->initial)
            memcpy((unsigned char *)block + kernel_output_at(k, s, i), in[o->initial - 1],
                   operand_bytes(o, s));
    }
}

struct kernel kernel_with_output(const struct kernel *k, int i)
{
    struct kernel one = *k;
    one.out = *kernel_output(k, i);
    one.more_outputs = 0;
    return one;
}
