/* file_check.c - the check of an exercise that has many right answers: a C function of the
 * instructor. For other code it is a kernel: its inputs are those of the problem, the result and
 * the right one; its outputs are a yes or no, and why. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

static const struct operand answer = {
    .name = FILE_RESULT, .type = TYPE_I32, .rows = EXTENT_ONE, .cols = EXTENT_ONE};
static const struct operand why = {.name = "why",
                                   .type = TYPE_I8,
                                   .rows = EXTENT_ONE,
                                   .cols = EXTENT_ONE,
                                   .more_rows = CHECK_WHY - 1};

static bool is_wanted(const struct kernel_file *f)
{
    for (int i = 0; i < kernel_outputs(&f->kernel); i++)
        if (f->rule[i].how == RULE_CHECK)
            return true;
    return false;
}

static void add_argument(struct kernel_file *f, int what, int index)
{
    f->check_argument[f->checker.arguments_count++] =
        (struct call_argument){(enum call_argument_what)what, index};
}

/* All results, or all right ones: the input of output 0 is `first`. A result that the function
 * returns is the last one. */
static void add_results(struct kernel_file *f, int first)
{
    const struct kernel *k = &f->kernel;
    for (int i = k->returns; i < kernel_outputs(k); i++)
        add_argument(f, ARGUMENT_INPUT, first + i);
    if (k->returns)
        add_argument(f, ARGUMENT_INPUT, first);
}

/* In the order of the prototype in the header (file_header.c). */
static void add_arguments(struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    const int outputs = kernel_outputs(k);
    f->checker.arguments = f->check_argument;
    for (int i = 0; i < k->arguments_count; i++)
        if (k->arguments[i].what == ARGUMENT_OUTPUT)
            add_argument(f, ARGUMENT_INPUT, k->inputs + k->arguments[i].index);
        else
            add_argument(f, (int)k->arguments[i].what, k->arguments[i].index);
    if (k->returns)
        add_argument(f, ARGUMENT_INPUT, k->inputs);
    add_results(f, k->inputs + outputs);
    for (int i = 0; i < outputs; i++)
        if (kernel_output(k, i)->initial)
            add_argument(f, ARGUMENT_INPUT, kernel_output(k, i)->initial - 1);
    add_argument(f, ARGUMENT_OUTPUT, 1);
}

static void make_checker(struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    struct kernel *c = &f->checker;
    const int outputs = kernel_outputs(k);
    f->check_function = xasprintf("%s_check", f->function);
    *c = (struct kernel){.name = k->name,
                         .problem = k->problem,
                         .type = k->type,
                         .function = f->check_function,
                         .dims = k->dims,
                         .inputs = k->inputs + 2 * outputs,
                         .out = answer,
                         .more_out = {why},
                         .more_outputs = 1,
                         .returns = true,
                         .file = f};
    memcpy(c->dim_name, k->dim_name, sizeof c->dim_name);
    memcpy(c->in, k->in, sizeof c->in);
    for (int i = 0; i < 2 * outputs; i++) {
        c->in[k->inputs + i] = *kernel_output(k, i % outputs);
        c->in[k->inputs + i].initial = 0;
    }
    add_arguments(f);
}

void file_read_check(const struct yaml_at *trusted, struct kernel_file *f)
{
    const struct yaml_at at = yaml_get(trusted, "check");
    const bool wanted = is_wanted(f);
    if (wanted && !yaml_present(&at))
        yaml_error(trusted,
                   "an output has compare: check, so name a source: check: NAME.c, with the "
                   "function %s_check, which says whether a result is right",
                   f->function);
    else if (!wanted && yaml_present(&at))
        yaml_error(&at, "no output has compare: check");
    else if (wanted && !trusted->file->failed)
        make_checker(f);
}
