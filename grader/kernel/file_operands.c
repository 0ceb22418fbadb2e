/* file_operands.c - how large the operands of a kernel file are. */
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

/* The input of that name, or -1. */
static int file_input(const struct kernel_file *f, const char *name)
{
    for (int i = 0; i < f->kernel.inputs; i++)
        if (!f->kernel.in[i].by_value && strcmp(f->kernel.in[i].name, name) == 0)
            return i;
    return -1;
}

static int file_output(const struct kernel_file *f, const char *name)
{
    for (int i = f->kernel.returns; i < kernel_outputs(&f->kernel); i++)
        if (strcmp(kernel_output(&f->kernel, i)->name, name) == 0)
            return i;
    return -1;
}

static void no_such_parameter(const struct yaml_at *at, const struct kernel_file *f,
                              const char *name)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    for (int i = 0; i < f->prototype.parameters; i++)
        if (f->prototype.parameter[i].pointer)
            strbuf_addf(&known, "%s%s", known.len ? ", " : "", f->prototype.parameter[i].name);
    yaml_error(at, "the function has no parameter '%.30s' that points to elements; it has: %s",
               name, known.len ? known.s : "none");
}

static void read_extents(const struct yaml_at *at, const struct kernel *k, struct extents *x)
{
    const bool one = at->node && at->node->type == YAML_SCALAR_NODE; /* a list of one */
    const unsigned n = one ? 1 : yaml_count(at);
    if (n < 1 || n > EXTENTS_MOST)
        yaml_error(at, "expected a list of 1 to %d extents, such as [n] or [h, w, 3]",
                   EXTENTS_MOST);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        const struct yaml_at item = one ? *at : yaml_item(at, i);
        struct err e = ERR_INIT;
        char *text = yaml_string(&item, "");
        if (!at->file->failed &&
            expression_read(text, k->dim_name, k->dims, true, &x->of[i], &e) != 0)
            yaml_error(&item, "%s", e.text);
        x->text[i] = text;
        x->count = (int)i + 1;
    }
}

/* The values that it has before the call are an input, which the function does not get. */
static void change_in_place(const struct yaml_at *at, struct kernel_file *f, int output)
{
    struct kernel *k = &f->kernel;
    struct operand *o = output ? &k->more_out[output - 1] : &k->out;
    if (k->inputs == KERNEL_FILE_INPUTS) {
        yaml_error(at, "a function has at most %d inputs, with what is changed in place",
                   KERNEL_FILE_INPUTS);
        return;
    }
    k->in[k->inputs++] = (struct operand){.name = o->name, .type = o->type, .size = o->size};
    o->initial = k->inputs;
}

/* Which ranks have it. */
static void read_place(const struct yaml_at *at, struct operand *o)
{
    const char *const names[] = {[ON_ROOT] = "root", [ON_ALL] = "all", [ON_BLOCK] = "block", NULL};
    o->on = (enum operand_place)yaml_choice(at, names, ON_ROOT);
}

/* The result is one number: of rank 0, or the same on all ranks. */
static void read_result(const struct yaml_at *at, struct kernel_file *f)
{
    const struct yaml_at on = yaml_need(at, "on");
    yaml_expect_keys(at, (const char *const[]){"on", NULL});
    read_place(&on, &f->kernel.out);
    if (f->kernel.out.on == ON_BLOCK)
        yaml_error(&on, "the result is one number, which has no blocks: root or all");
}

static void read_operand(const struct yaml_at *at, struct kernel_file *f, const char *name)
{
    const int output = file_output(f, name), input = output < 0 ? file_input(f, name) : -1;
    if (f->kernel.returns && strcmp(name, FILE_RESULT) == 0) {
        read_result(at, f);
        return;
    }
    yaml_expect_keys(at, (const char *const[]){"size", "inout", "on", NULL});
    if (input < 0 && output < 0) {
        no_such_parameter(at, f, name);
        return;
    }
    const struct yaml_at size = yaml_need(at, "size"), inout = yaml_get(at, "inout"),
                         on = yaml_get(at, "on");
    struct extents *x = input >= 0 ? &f->input_size[input] : &f->output_size[output];
    if (x->count)
        yaml_error(at, "%s is given twice", name);
    if (!at->file->failed)
        read_extents(&size, &f->kernel, x);
    struct operand *o = input >= 0 ? &f->kernel.in[input]
                        : output   ? &f->kernel.more_out[output - 1]
                                   : &f->kernel.out;
    read_place(&on, o);
    if (!yaml_bool(&inout, false))
        return;
    if (input >= 0)
        yaml_error(&inout, "%s is const, so it cannot be changed in place", name);
    else if (!at->file->failed)
        change_in_place(&inout, f, output);
}

static void need_size(const struct yaml_at *at, const struct operand *o)
{
    if (!o->by_value && !o->size->count)
        yaml_error(at, "%s has no size; write, for example, %s: {size: [n]}", o->name, o->name);
}

void file_read_operands(const struct yaml_at *root, struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    const struct yaml_at at = yaml_need(root, "operands");
    const char *name;
    struct yaml_at operand;
    for (unsigned i = 0; yaml_pair(&at, i, &name, &operand) && !root->file->failed; i++)
        read_operand(&operand, f, name);
    for (int i = 0; i < k->inputs; i++)
        need_size(&at, &k->in[i]);
    for (int i = k->returns; i < kernel_outputs(k); i++)
        need_size(&at, kernel_output(k, i));
}
