/* file_maker.c - a C function of the instructor that makes the values of kinds with `call`. For
 * other code it is a kernel: its inputs are the name of the kind and a key, its outputs the inputs
 * of the problem. The same key gives the same values. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

static const struct operand kind = {.name = "kind",
                                    .type = TYPE_I8,
                                    .rows = EXTENT_ONE,
                                    .cols = EXTENT_ONE,
                                    .more_rows = VALUES_NAME - 1};
static const struct operand key = {
    .name = "key", .type = TYPE_U64, .rows = EXTENT_ONE, .cols = EXTENT_ONE, .by_value = true};

_Static_assert(sizeof((struct kernel){0}.more_out) / sizeof(struct operand) + 1 >=
                   KERNEL_FILE_INPUTS,
               "all inputs can be made");

bool kernel_file_calls(const struct kernel_file *f, enum value_dist values, int i)
{
    const struct generators *g = f->generators[values - VALUES_OWN];
    bool any = false;
    for (int k = 0; k < f->kernel.inputs; k++)
        any = any || (generators_call(&g[k]) && (i < 0 || i == k));
    return any;
}

bool kernel_inputs_mix(const struct kernel *k)
{
    return k->inputs > 1 && !(k->file && kernel_file_calls(k->file, k->timed, -1));
}

static void add_argument(struct kernel_file *f, int what, int index)
{
    f->making_argument[f->making.arguments_count++] =
        (struct call_argument){(enum call_argument_what)what, index};
}

/* In the order of the prototype in the header (file_header.c). */
static void add_arguments(struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    f->making.arguments = f->making_argument;
    add_argument(f, ARGUMENT_INPUT, 0);
    add_argument(f, ARGUMENT_INPUT, 1);
    for (int i = 0; i < k->arguments_count; i++) {
        const struct call_argument *a = &k->arguments[i];
        const int initial =
            a->what == ARGUMENT_OUTPUT ? kernel_output(k, a->index)->initial : a->index + 1;
        if (a->what == ARGUMENT_DIMENSION || a->what == ARGUMENT_WIDE)
            add_argument(f, (int)a->what, a->index);
        else if (initial)
            add_argument(f, ARGUMENT_OUTPUT, initial - 1);
    }
}

static struct operand made(const struct operand *input)
{
    struct operand o = *input;
    o.by_value = false;
    o.on = ON_ROOT;
    return o;
}

static void make_maker(struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    f->making_function = xasprintf("%s_values", f->function);
    f->making = (struct kernel){.name = k->name,
                                .problem = k->problem,
                                .type = k->type,
                                .function = f->making_function,
                                .dims = k->dims,
                                .inputs = 2,
                                .in = {kind, key},
                                .out = made(&k->in[0]),
                                .more_outputs = k->inputs - 1,
                                .file = f};
    memcpy(f->making.dim_name, k->dim_name, sizeof k->dim_name);
    for (int i = 1; i < k->inputs; i++)
        f->making.more_out[i - 1] = made(&k->in[i]);
    add_arguments(f);
}

void file_read_maker(const struct yaml_at *trusted, struct kernel_file *f)
{
    const struct yaml_at at = yaml_get(trusted, "values");
    bool wanted = false;
    for (int v = 0; v < f->kernel.values_count; v++)
        wanted = wanted || kernel_file_calls(f, f->values[v], -1);
    if (wanted && !yaml_present(&at))
        yaml_error(trusted,
                   "a kind of values has 'call', so name a source: values: NAME.c, with the "
                   "function %s_values, which makes them; `paragrade kernel header` prints its "
                   "prototype",
                   f->function);
    else if (!wanted && yaml_present(&at))
        yaml_error(&at, "no kind of values has 'call'");
    else if (wanted)
        make_maker(f);
}
