#include "supervise/call_form.h"

static const enum pg_result results[] = {
    [TYPE_I8] = PG_RESULT_I8,   [TYPE_U8] = PG_RESULT_U8,   [TYPE_I16] = PG_RESULT_I16,
    [TYPE_U16] = PG_RESULT_U16, [TYPE_I32] = PG_RESULT_I32, [TYPE_U32] = PG_RESULT_U32,
    [TYPE_I64] = PG_RESULT_I64, [TYPE_U64] = PG_RESULT_U64, [TYPE_F32] = PG_RESULT_F32,
    [TYPE_F64] = PG_RESULT_F64};

static uint32_t argument_of(const struct kernel *k, const struct call_argument *a)
{
    const int i = a->what == ARGUMENT_OUTPUT ? k->inputs : a->index;
    return a->what == ARGUMENT_DIMENSION ? PG_DIMENSION + (uint32_t)i : PG_OPERAND + (uint32_t)i;
}

struct pg_form call_form_of(const struct kernel *k, struct shape s)
{
    struct pg_form f = {.inputs = (uint32_t)k->inputs};
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
