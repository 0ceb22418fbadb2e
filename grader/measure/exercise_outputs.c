/* exercise_outputs.c - the elements of all outputs, one after the other. */
#include <string.h>

#include "kernel/element.h"
#include "kernel/outputs.h"
#include "measure/exercise.h"

size_t exercise_elements(const struct exercise *x)
{
    return kernel_output_elements(x->kernel, x->shape, kernel_outputs(x->kernel));
}

int exercise_output_of(const struct exercise *x, size_t i)
{
    int output = 0;
    while (output + 1 < kernel_outputs(x->kernel) &&
           i >= kernel_output_elements(x->kernel, x->shape, output + 1))
        output++;
    return output;
}

/* Of an element: the type, the place in its output, and where that begins in a block. */
struct place {
    enum element_type type;
    size_t i, at;
};

static struct place place_of(const struct exercise *x, size_t i)
{
    const int output = exercise_output_of(x, i);
    return (struct place){kernel_output(x->kernel, output)->type,
                          i - kernel_output_elements(x->kernel, x->shape, output),
                          kernel_output_at(x->kernel, x->shape, output)};
}

size_t exercise_difference(const struct exercise *x, const void *a, const void *b)
{
    for (int o = 0; o < kernel_outputs(x->kernel); o++) {
        const struct operand *output = kernel_output(x->kernel, o);
        const size_t at = kernel_output_at(x->kernel, x->shape, o);
        const size_t n = operand_elements(output, x->shape);
        const size_t i =
            element_difference(output->type, (const char *)a + at, (const char *)b + at, n);
        if (i < n)
            return kernel_output_elements(x->kernel, x->shape, o) + i;
    }
    return exercise_elements(x);
}

const char *exercise_element(const struct exercise *x, size_t i, char out[ELEMENT_NAME])
{
    const struct kernel one = kernel_with_output(x->kernel, exercise_output_of(x, i));
    const size_t cols = operand_cols(&one.out, x->shape), at = place_of(x, i).i;
    kernel_element_name(&one, x->shape, (int)(at / cols), (int)(at % cols), out);
    return out;
}

void exercise_text(const struct exercise *x, const void *result, size_t i, char out[ELEMENT_TEXT])
{
    const struct place p = place_of(x, i);
    element_text(p.type, (const char *)result + p.at, p.i, out);
}

double exercise_number(const struct exercise *x, const void *result, size_t i)
{
    const struct place p = place_of(x, i);
    return element_real(p.type, (const char *)result + p.at, p.i);
}

double exercise_distance(const struct exercise *x, const void *a, const void *b, size_t i)
{
    const struct place p = place_of(x, i);
    return element_distance(p.type, (const char *)a + p.at, (const char *)b + p.at, p.i);
}

bool exercise_is_finite(const struct exercise *x, const void *result, size_t i)
{
    const struct place p = place_of(x, i);
    return element_is_finite(p.type, (const char *)result + p.at, p.i);
}

bool exercise_holds(const struct exercise *x, const void *result, size_t i, uint64_t poison)
{
    const struct place p = place_of(x, i);
    const size_t bytes = type_bytes(p.type), at = p.at + p.i * bytes;
    unsigned char pattern[sizeof poison];
    memcpy(pattern, &poison, sizeof pattern);
    return memcmp((const char *)result + at, pattern + at % sizeof pattern, bytes) == 0;
}
