/* file_values.c - the kinds of values of a kernel file. */
#include <string.h>

#include "base/identifier.h"
#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

static bool is_square(const struct operand *o)
{
    return o->size->count == 2 && strcmp(o->size->text[0], o->size->text[1]) == 0;
}

/* The generator of input i in a kind, which may be that of `all`. */
static void read_generator(const struct yaml_at *kind, struct kernel_file *f, int i, bool rounded)
{
    const struct operand *o = &f->kernel.in[i];
    struct yaml_at at = yaml_get(kind, o->name);
    struct generators *g = &f->generators[f->kernel.values_count][i];
    struct err e = ERR_INIT;
    const struct generator_site site = {o->type, f->kernel.dim_name, f->kernel.dims, is_square(o)};
    if (!yaml_present(&at))
        at = yaml_get(kind, "all");
    if (!yaml_present(&at)) {
        yaml_error(kind, "%s has no generator, and there is no 'all'", o->name);
        return;
    }
    OWNED char *text = yaml_words(&at, "");
    if (!kind->file->failed && generators_read(text, &site, g, &e) != 0)
        yaml_error(&at, "%s", e.text);
    if (!rounded && !f->exact && !generators_are_whole(g, o->type))
        yaml_error(&at,
                   "results of such numbers are rounded: write rounded: true beside it, or "
                   "compare: {%s: exact} if every program gives the same bits",
                   f->kernel.out.name);
}

static void read_kind(const struct yaml_at *at, struct kernel_file *f, const char *name)
{
    struct kernel *k = &f->kernel;
    const char *keys[KERNEL_FILE_INPUTS + 3] = {"all", "rounded"};
    for (int i = 0; i < k->inputs; i++)
        keys[i + 2] = k->in[i].name;
    for (int i = 0; i < kernel_outputs(k); i++) {
        const struct operand *o = kernel_output(k, i);
        const struct yaml_at field = yaml_get(at, o->name);
        if (!o->initial && yaml_present(&field)) {
            yaml_error(&field,
                       "%s is an output; it has values before a call if `operands` says "
                       "inout: true",
                       o->name);
            return;
        }
    }
    yaml_expect_keys(at, keys);
    if (k->values_count == KERNEL_FILE_KINDS) {
        yaml_error(at, "there are more than %d kinds of values", KERNEL_FILE_KINDS);
        return;
    }
    if (strlen(name) >= VALUES_NAME || !identifier_ok(name))
        yaml_error(at, "the name of a kind is a short word of letters, digits, - and _");
    for (int i = 0; i < k->values_count; i++)
        if (strcmp(f->kind[i].name, name) == 0)
            yaml_error(at, "there are two kinds of values named %s", name);
    struct yaml_at field = yaml_get(at, "rounded");
    const bool rounded = yaml_bool(&field, false);
    if (rounded && f->exact)
        yaml_error(&field, "all results of this kernel are exact, so leave `rounded` out");
    for (int i = 0; i < k->inputs && !at->file->failed; i++)
        read_generator(at, f, i, rounded);
    f->kind[k->values_count] = (struct value_kind){xstrdup(name), f->exact || !rounded};
    f->values[k->values_count] = (enum value_dist)(VALUES_OWN + k->values_count);
    k->values_count++;
}

static void read_timed(const struct yaml_at *root, struct kernel_file *f)
{
    struct kernel *k = &f->kernel;
    const struct yaml_at at = yaml_get(root, "timed");
    const char *names[KERNEL_FILE_KINDS + 1] = {NULL};
    for (int i = 0; i < k->values_count; i++)
        names[i] = f->kind[i].name;
    k->timed = (enum value_dist)(VALUES_OWN + yaml_choice(&at, names, k->values_count - 1));
}

void file_read_values(const struct yaml_at *root, struct kernel_file *f)
{
    const struct yaml_at at = yaml_need(root, "values");
    struct yaml_at kind;
    const char *name;
    for (unsigned i = 0; yaml_pair(&at, i, &name, &kind); i++)
        read_kind(&kind, f, name);
    if (!root->file->failed && !f->kernel.values_count)
        yaml_error(&at, "there is no kind of values");
    if (root->file->failed)
        return;
    f->kernel.kinds = f->kind;
    f->kernel.values = f->values;
    read_timed(root, f);
    /* With exact values a mistake is one, however small. */
    if (!f->kind[0].exact)
        yaml_error(&at,
                   "the first kind must have exact results: whole numbers, for example %s: "
                   "{all: whole}. Where there are none, say how far results may be off: "
                   "compare: {%s: {within: {relative: 1e-9}}}",
                   "exact", f->kernel.out.name);
}
