#include "supervise/call_form.h"

#include "kernel/outputs.h"

_Static_assert((int)OUTPUT_ALIGN == (int)PG_OUTPUT_ALIGN && KERNEL_MAX_OUTPUTS <= PG_MAX_OUTPUTS,
               "drivers find outputs where the kernel has them");

static const enum pg_result results[] = {
    [TYPE_I8] = PG_RESULT_I8,    [TYPE_U8] = PG_RESULT_U8,   [TYPE_I16] = PG_RESULT_I16,
    [TYPE_U16] = PG_RESULT_U16,  [TYPE_I32] = PG_RESULT_I32, [TYPE_U32] = PG_RESULT_U32,
    [TYPE_I64] = PG_RESULT_I64,  [TYPE_U64] = PG_RESULT_U64, [TYPE_F32] = PG_RESULT_F32,
    [TYPE_F64] = PG_RESULT_F64,  [TYPE_BOOL] = PG_RESULT_U8, [TYPE_C64] = PG_RESULT_C64,
    [TYPE_C128] = PG_RESULT_C128};

static uint32_t argument_of(const struct kernel *k, const struct call_argument *a)
{
    const int i = a->what == ARGUMENT_OUTPUT ? k->inputs + a->index : a->index;
    const uint32_t what = a->what == ARGUMENT_DIMENSION ? PG_DIMENSION
                          : a->what == ARGUMENT_WIDE    ? PG_WIDE
                                                        : PG_OPERAND;
    return what + (uint32_t)i;
}

struct pg_form call_form_of(const struct kernel *k, struct shape s)
{
    struct pg_form f = {.inputs = (uint32_t)k->inputs, .outputs = (uint32_t)kernel_outputs(k)};
    for (int i = 0; i < k->inputs; i++)
        f.value[i] = k->in[i].by_value ? results[k->in[i].type] : PG_RESULT_NONE;
    for (int i = 0; i < kernel_outputs(k); i++) {
        f.output_at[i] = (uint32_t)(kernel_output_at(k, s, i) / PG_OUTPUT_ALIGN);
        f.initial[i] = (uint32_t)kernel_output(k, i)->initial;
    }
    f.dims = (uint32_t)kernel_arguments(k, s, f.dim);
    f.result = k->returns ? results[k->out.type] : PG_RESULT_NONE;
    for (int i = 0; i < k->arguments_count; i++)
        f.argument[f.arguments++] = argument_of(k, &k->arguments[i]);
    for (uint32_t i = 0; i < f.dims && !k->arguments; i++)
        f.argument[f.arguments++] = PG_DIMENSION + i;
    for (uint32_t i = 0; i <= f.inputs && !k->arguments; i++)
        f.argument[f.arguments++] = PG_OPERAND + i;
    return f;
}
