/* file_function.c - `function` and `types` of a kernel file: dimensions, inputs and outputs. */
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

/* Does a kind of values say what the parameter is? */
static bool has_values(const struct yaml_at *root, const char *name)
{
    const struct yaml_at values = yaml_get(root, "values");
    const char *kind;
    struct yaml_at at;
    for (unsigned i = 0; yaml_pair(&values, i, &kind, &at); i++) {
        const struct yaml_at own = yaml_get(&at, name);
        if (yaml_present(&own))
            return true;
    }
    return false;
}

/* An integer, unless it has values, as arrays have. */
static bool is_dimension(const struct yaml_at *root, const struct parameter *p)
{
    return !p->pointer && !p->type.is_t && type_is_integer(p->type.type) &&
           !has_values(root, p->name);
}

static void refuse_parameter(const struct yaml_at *root, const struct yaml_at *at,
                             const struct parameter *p)
{
    if (is_dimension(root, p) && p->type.type != TYPE_I32 && p->type.type != TYPE_I64)
        yaml_error(at,
                   "a dimension is an int or an int64_t; if %s is none, say in `values` which "
                   "numbers it can be",
                   p->name);
    if (!p->pointer && !p->type.is_t && type_is_complex(p->type.type))
        yaml_error(at, "%s is complex: pass a pointer to it, of size [1]", p->name);
    if (!p->pointer && p->constant)
        yaml_error(at, "%s is passed by value, so it needs no const", p->name);
}

static void take_output(struct kernel_file *f, const char *name, enum element_type type, int index)
{
    struct kernel *k = &f->kernel;
    const struct operand o = {.name = name, .type = type, .size = &f->output_size[index]};
    if (index)
        k->more_out[k->more_outputs++] = o;
    else
        k->out = o;
}

/* Dimensions, inputs and outputs, and which of them each argument is. */
static void take_parameter(const struct yaml_at *root, struct kernel_file *f,
                           const struct parameter *p, int *outputs)
{
    struct kernel *k = &f->kernel;
    struct call_argument *a = &f->argument[k->arguments_count++];
    const enum element_type type = p->type.is_t ? f->chosen : p->type.type;
    if (is_dimension(root, p)) {
        *a = (struct call_argument){type == TYPE_I64 ? ARGUMENT_WIDE : ARGUMENT_DIMENSION, k->dims};
        k->dim_name[k->dims++] = p->name;
        return;
    }
    if (p->pointer && !p->constant) {
        *a = (struct call_argument){ARGUMENT_OUTPUT, *outputs};
        take_output(f, p->name, type, (*outputs)++);
        return;
    }
    if (!p->pointer && type_is_complex(type)) {
        const struct yaml_at at = yaml_get(root, "types");
        yaml_error(&at, "%s is passed by value, so T cannot be complex", p->name);
    }
    *a = (struct call_argument){ARGUMENT_INPUT, k->inputs};
    k->in[k->inputs] = (struct operand){
        .name = p->name, .type = type, .size = &f->input_size[k->inputs], .by_value = !p->pointer};
    k->inputs++;
}

/* The names of dimensions are columns and keys, in small letters. */
static void check_dimensions(const struct yaml_at *root, const struct yaml_at *at,
                             const struct prototype *p)
{
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        if (!is_dimension(root, q))
            continue;
        if (strlen(q->name) >= FIELD_KEY)
            yaml_error(at, "'%s' is too long for a dimension; %d characters are allowed", q->name,
                       FIELD_KEY - 1);
        for (int k = 0; k < i; k++)
            if (is_dimension(root, &p->parameter[k]) &&
                strcasecmp(p->parameter[k].name, q->name) == 0)
                yaml_error(at,
                           "the dimensions %s and %s differ in capital letters only, which "
                           "columns and options do not: rename one",
                           p->parameter[k].name, q->name);
    }
}

static void count_parameters(const struct yaml_at *root, const struct yaml_at *at,
                             const struct prototype *p)
{
    int dims = 0, inputs = 0, outputs = !p->result.is_void;
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        const bool output = q->pointer && !q->constant;
        refuse_parameter(root, at, q);
        dims += is_dimension(root, q);
        inputs += !output && !is_dimension(root, q);
        outputs += output;
    }
    if (dims < 1 || dims > SHAPE_DIMS)
        yaml_error(at,
                   "a function has 1 to %d dimensions: int, and not in `values`; this one has %d",
                   SHAPE_DIMS, dims);
    if (inputs > KERNEL_FILE_INPUTS)
        yaml_error(at,
                   "a function has at most %d inputs (const T *, or numbers by value), and this "
                   "one has %d",
                   KERNEL_FILE_INPUTS, inputs);
    if (outputs < 1 || outputs > KERNEL_MAX_OUTPUTS)
        yaml_error(at,
                   "a function has 1 to %d outputs: pointers without const, or a result; this one "
                   "has %d",
                   KERNEL_MAX_OUTPUTS, outputs);
}

static bool uses_t(const struct prototype *p)
{
    bool uses = p->result.is_t;
    for (int i = 0; i < p->parameters; i++)
        uses = uses || p->parameter[i].type.is_t;
    return uses;
}

/* What T stands for, which the assignment chooses. */
static void choose_type(const struct yaml_at *root, struct kernel_file *f, const char *type)
{
    const struct yaml_at types = yaml_get(root, "types");
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    unsigned n = 0;
    char **texts = yaml_strings(&types, &n);
    f->types = xcalloc(n + 1, sizeof *f->types);
    bool found = false;
    for (unsigned i = 0; i < n && !root->file->failed; i++) {
        enum element_type *t = &f->types[f->types_count++];
        if (!type_find(texts[i], strlen(texts[i]), t) || strcmp(type_name(*t), texts[i]) != 0)
            yaml_error(
                &types,
                "'%.30s' is no type; there are: f32, f64, i8 to i64, u8 to u64, bool, c64, c128",
                texts[i]);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(texts[k], texts[i]) == 0)
                yaml_error(&types, "%s is there twice", texts[i]);
        strbuf_addf(&known, "%s%s", i ? ", " : "", texts[i]);
        if (type && strcmp(texts[i], type) == 0) {
            found = true;
            f->chosen = *t;
        }
    }
    if (uses_t(&f->prototype) && !n)
        yaml_error(root, "the function uses T, and there is no list `types` that says what T can "
                         "be: types: [f32, f64]");
    else if (!uses_t(&f->prototype) && n)
        yaml_error(&types, "the function does not use T");
    else if (n && !found)
        yaml_error(&types, "the assignment's `type` chooses one of: %s; it has %s", known.s,
                   type ? type : "none");
    else if (!n && type)
        yaml_error(root, "the function has one form only, so the assignment needs no `type`");
    texts_free(texts, n);
}

/* Whole numbers that are computed from floats have the arithmetic of floats. */
static enum element_type arithmetic(const struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    enum element_type type = f->types_count ? f->chosen : k->out.type;
    for (int i = 1; i < kernel_outputs(k) && !type_is_rounded(type); i++)
        type = kernel_output(k, i)->type;
    for (int i = 0; i < k->inputs && !type_is_rounded(type); i++)
        type = k->in[i].type;
    return type_of_arithmetic(type);
}

void file_read_function(const struct yaml_at *root, struct kernel_file *f, const char *type)
{
    const struct yaml_at at = yaml_need(root, "function");
    struct prototype *p = &f->prototype;
    struct err e = ERR_INIT;
    OWNED char *text = yaml_words(&at, "");
    if (!root->file->failed && prototype_read(text, p, &e) != 0)
        yaml_error(&at, "%s", e.text);
    if (!root->file->failed)
        count_parameters(root, &at, p);
    if (!root->file->failed)
        check_dimensions(root, &at, p);
    if (!root->file->failed)
        choose_type(root, f, type);
    if (root->file->failed)
        return;
    f->kernel.arguments = f->argument;
    int outputs = 0;
    f->kernel.returns = !p->result.is_void;
    if (f->kernel.returns)
        take_output(f, FILE_RESULT, p->result.is_t ? f->chosen : p->result.type, outputs++);
    for (int i = 0; i < p->parameters; i++)
        take_parameter(root, f, &p->parameter[i], &outputs);
    f->kernel.name = f->kernel.problem = p->name;
    f->function =
        f->types_count ? xasprintf("%s_%s", p->name, type_name(f->chosen)) : xstrdup(p->name);
    f->kernel.function = f->function;
    f->kernel.type = arithmetic(f);
}

/* before, after: of the name. */
static void refuse_name(const struct yaml_at *at, const struct prototype *p, const char *form,
                        const char *before, const char *name, const char *after)
{
    char *added = xasprintf("%s%s%s", before, name, after);
    for (int i = 0; i < p->parameters; i++)
        if (strcmp(p->parameter[i].name, added) == 0)
            yaml_error(at,
                       "no parameter can be named '%s': in %s, one is added that has this name; "
                       "rename it",
                       added, form);
    free(added);
}

void file_refuse_names(const struct yaml_at *root, const struct kernel_file *f)
{
    static const char check[] = "the check", maker[] = "the function that makes values";
    const struct kernel *k = &f->kernel;
    const struct prototype *p = &f->prototype;
    const struct yaml_at at = yaml_get(root, "function");
    refuse_name(&at, p, "the form for MPI", "", "comm", "");
    refuse_name(&at, p, "the form for CUDA", "", "stream", "");
    if (k->returns)
        refuse_name(&at, p, "the form for a device", "", "result", "");
    if (f->check)
        refuse_name(&at, p, check, "", "why", "");
    for (int i = 0; f->check && i < kernel_outputs(k); i++) {
        const char *name = k->returns && !i ? "result" : kernel_output(k, i)->name;
        refuse_name(&at, p, check, "right_", name, "");
        if (kernel_output(k, i)->initial)
            refuse_name(&at, p, check, "", name, "_before");
    }
    if (f->maker) {
        refuse_name(&at, p, maker, "", "kind", "");
        refuse_name(&at, p, maker, "", "key", "");
    }
}
