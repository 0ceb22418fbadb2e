/* file_operands.c - how large the operands of a kernel file are. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"

/* The input of that name, or -1. */
static int file_input(const struct kernel_file *f, const char *name)
{
    for (int i = 0; i < f->kernel.inputs; i++)
        if (strcmp(f->kernel.in[i].name, name) == 0)
            return i;
    return -1;
}

static void no_such_parameter(const struct yaml_at *at, const struct kernel_file *f,
                              const char *name)
{
    struct strbuf known = STRBUF_INIT;
    for (int i = 0; i < f->kernel.inputs; i++)
        strbuf_addf(&known, "%s, ", f->kernel.in[i].name);
    yaml_error(at, "the function has no parameter '%.30s' that points to elements; it has: %s%s",
               name, known.s, f->kernel.returns ? "no other" : f->kernel.out.name);
    strbuf_free(&known);
}

static void read_extents(const struct yaml_at *at, const struct kernel *k, struct extents *x)
{
    const unsigned n = yaml_count(at);
    if (n < 1 || n > EXTENTS_MOST)
        yaml_error(at, "expected a list of 1 to %d extents, such as [n] or [h, w, 3]",
                   EXTENTS_MOST);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        const struct yaml_at item = yaml_item(at, i);
        struct err e = ERR_INIT;
        char *text = yaml_string(&item, "");
        if (!at->file->failed &&
            expression_read(text, k->dim_name, k->dims, true, &x->of[i], &e) != 0)
            yaml_error(&item, "%s", e.text);
        x->text[i] = text;
        x->count = (int)i + 1;
    }
}

void file_read_operands(const struct yaml_at *root, struct kernel_file *f)
{
    struct kernel *k = &f->kernel;
    const struct yaml_at at = yaml_need(root, "operands");
    const char *name;
    struct yaml_at operand;
    for (unsigned i = 0; yaml_pair(&at, i, &name, &operand); i++) {
        const int input = file_input(f, name);
        const bool output = !k->returns && strcmp(name, k->out.name) == 0;
        yaml_expect_keys(&operand, (const char *const[]){"size", NULL});
        if (input < 0 && !output) {
            no_such_parameter(&operand, f, name);
            return;
        }
        const struct yaml_at size = yaml_need(&operand, "size");
        struct extents *x = input >= 0 ? &f->input_size[input] : &f->output_size;
        if (x->count)
            yaml_error(&operand, "%s is given twice", name);
        if (!root->file->failed)
            read_extents(&size, k, x);
    }
    for (int i = 0; i < k->inputs; i++)
        if (!f->input_size[i].count)
            yaml_error(&at, "%s has no size; write, for example, %s: {size: [n]}", k->in[i].name,
                       k->in[i].name);
    if (!k->returns && !f->output_size.count)
        yaml_error(&at, "%s has no size; write, for example, %s: {size: [n]}", k->out.name,
                   k->out.name);
}
