#include "kernel/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/yaml_read.h"
#include "kernel/file_read.h"

/* How a trusted source is compiled. Rounding in other directions must not be computed ahead. */
#define TRUSTED_COMPILE                                                                            \
    "gcc -std=gnu11 -O2 -frounding-math -fPIC -shared -I{abi} -o {out} {src} -lm"

bool kernel_file_is_meant(const char *text)
{
    const size_t n = strlen(text);
    return strchr(text, '/') || (n > 5 && strcmp(text + n - 5, ".yaml") == 0);
}

/* --- the function ----------------------------------------------------------------------------- */

static bool is_dimension(const struct parameter *p)
{
    return !p->pointer;
}

static void refuse_parameter(const struct yaml_at *at, const struct parameter *p)
{
    if (is_dimension(p) && (p->constant || p->type.is_t || p->type.type != TYPE_I32))
        yaml_error(at, "%s is no pointer, so it is a dimension, and a dimension is an int",
                   p->name);
}

/* Dimensions, inputs, and which of them each argument is. */
static void take_parameter(struct kernel_file *f, const struct parameter *p)
{
    struct kernel *k = &f->kernel;
    struct call_argument *a = &f->argument[k->arguments_count++];
    if (is_dimension(p)) {
        *a = (struct call_argument){ARGUMENT_DIMENSION, k->dims};
        k->dim_name[k->dims++] = p->name;
        return;
    }
    const bool input = p->constant;
    struct operand *o = input ? &k->in[k->inputs] : &k->out;
    *a = (struct call_argument){input ? ARGUMENT_INPUT : ARGUMENT_OUTPUT, input ? k->inputs : 0};
    *o = (struct operand){.name = p->name,
                          .type = p->type.is_t ? k->type : p->type.type,
                          .size = input ? &f->input_size[k->inputs] : &f->output_size};
    k->inputs += input;
}

/* The names of dimensions are columns and keys, in small letters. */
static void check_dimensions(const struct yaml_at *at, const struct prototype *p)
{
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        if (!is_dimension(q))
            continue;
        if (strlen(q->name) >= FIELD_KEY)
            yaml_error(at, "'%s' is too long for a dimension; %d characters are allowed", q->name,
                       FIELD_KEY - 1);
        for (int k = 0; k < i; k++)
            if (is_dimension(&p->parameter[k]) && strcasecmp(p->parameter[k].name, q->name) == 0)
                yaml_error(at, "the dimensions %s and %s differ in capital letters only",
                           p->parameter[k].name, q->name);
    }
}

static void count_parameters(const struct yaml_at *at, const struct prototype *p)
{
    int dims = 0, inputs = 0, outputs = !p->result.is_void;
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        refuse_parameter(at, q);
        dims += is_dimension(q);
        inputs += q->pointer && q->constant;
        outputs += q->pointer && !q->constant;
    }
    if (dims < 1 || dims > SHAPE_DIMS)
        yaml_error(at, "a function has 1 to %d dimensions (int), and this one has %d", SHAPE_DIMS,
                   dims);
    if (inputs > KERNEL_MAX_INPUTS)
        yaml_error(at, "a function has at most %d inputs (const T *), and this one has %d",
                   KERNEL_MAX_INPUTS, inputs);
    if (outputs != 1)
        yaml_error(at,
                   "a function has one output: a pointer without const, or a result; this one "
                   "has %d",
                   outputs);
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
    struct strbuf known = STRBUF_INIT;
    unsigned n = 0;
    char **texts = yaml_strings(&types, &n);
    f->types = xcalloc(n + 1, sizeof *f->types);
    bool found = false;
    for (unsigned i = 0; i < n && !root->file->failed; i++) {
        enum element_type *t = &f->types[f->types_count++];
        if (!type_find(texts[i], strlen(texts[i]), t) || strcmp(type_name(*t), texts[i]) != 0)
            yaml_error(&types, "'%.30s' is no type; there are: f32, f64, i8 to i64, u8 to u64",
                       texts[i]);
        strbuf_addf(&known, "%s%s", i ? ", " : "", texts[i]);
        if (type && strcmp(texts[i], type) == 0) {
            found = true;
            f->kernel.type = *t;
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
    strbuf_free(&known);
}

static void name_result(struct kernel_file *f)
{
    struct kernel *k = &f->kernel;
    const struct prototype *p = &f->prototype;
    if (p->result.is_void)
        return;
    k->returns = true;
    k->out = (struct operand){.name = FILE_RESULT,
                              .type = p->result.is_t ? k->type : p->result.type,
                              .size = &f->output_size};
}

static void read_function(const struct yaml_at *root, struct kernel_file *f, const char *type)
{
    const struct yaml_at at = yaml_need(root, "function");
    struct prototype *p = &f->prototype;
    struct err e = ERR_INIT;
    char *text = yaml_words(&at, "");
    if (!root->file->failed && prototype_read(text, p, &e) != 0)
        yaml_error(&at, "%s", e.text);
    free(text);
    if (!root->file->failed)
        count_parameters(&at, p);
    if (!root->file->failed)
        check_dimensions(&at, p);
    if (!root->file->failed)
        choose_type(root, f, type);
    if (root->file->failed)
        return;
    f->kernel.arguments = f->argument;
    for (int i = 0; i < p->parameters; i++)
        take_parameter(f, &p->parameter[i]);
    name_result(f);
    f->kernel.name = f->kernel.problem = p->name;
    f->function =
        f->types_count ? xasprintf("%s_%s", p->name, type_name(f->kernel.type)) : xstrdup(p->name);
    f->kernel.function = f->function;
    if (!f->types_count)
        f->kernel.type = f->kernel.out.type;
    f->kernel.type = type_of_arithmetic(f->kernel.type);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void read_count(const struct yaml_at *root, const char *key, const struct kernel *k,
                       struct expression *x)
{
    const struct yaml_at at = yaml_get(root, key);
    struct err e = ERR_INIT;
    char *text = yaml_string(&at, "");
    if (yaml_present(&at) && !root->file->failed &&
        expression_read(text, k->dim_name, k->dims, false, x, &e) != 0)
        yaml_error(&at, "%s", e.text);
    free(text);
}

static double operations(const struct kernel *k, struct shape s)
{
    return expression_number(&k->file->operations, s.dim);
}

/* Sums are at most as long as the largest operand, unless the file says otherwise. */
static double terms_of(const struct kernel_file *f, struct shape s)
{
    if (f->terms.steps)
        return expression_number(&f->terms, s.dim);
    double most = (double)operand_elements(&f->kernel.out, s);
    for (int i = 0; i < f->kernel.inputs; i++) {
        const double n = (double)operand_elements(&f->kernel.in[i], s);
        most = n > most ? n : most;
    }
    return most;
}

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    const struct kernel_file *f = k->file;
    generators_fill(&f->generators[values - VALUES_OWN][i], k->in[i].type, terms_of(f, s), seed, i,
                    (uint32_t)operand_elements(&k->in[i], s), dst);
}

static void read_trusted(const struct yaml_at *root, struct kernel_file *f)
{
    const struct yaml_at at = yaml_need(root, "trusted");
    yaml_expect_keys(&at, (const char *const[]){"source", "compile", NULL});
    struct yaml_at field = yaml_need(&at, "source");
    f->trusted = yaml_string(&field, "");
    if (!root->file->failed && (strchr(f->trusted, '/') || !*f->trusted || *f->trusted == '.'))
        yaml_error(&field, "the trusted source lies beside this file, so write its name alone");
    field = yaml_get(&at, "compile");
    f->trusted_compile = yaml_words(&field, TRUSTED_COMPILE);
    if (!root->file->failed &&
        (!strstr(f->trusted_compile, "{src}") || !strstr(f->trusted_compile, "{out}")))
        yaml_error(&field, "the command needs {src} and {out}, as in: %s", TRUSTED_COMPILE);
}

static void read_all(struct yaml_file *file, struct kernel_file *f, const char *type)
{
    static const char *const keys[] = {"function", "types",   "operands", "values",
                                       "timed",    "compare", "terms",    "operations",
                                       "edges",    "about",   "trusted",  NULL};
    const struct yaml_at root = yaml_root(file);
    struct yaml_at at = yaml_get(&root, "about");
    yaml_expect_keys(&root, keys);
    f->about = yaml_words(&at, "");
    read_function(&root, f, type);
    if (file->failed)
        return;
    file_read_operands(&root, f);
    read_count(&root, "terms", &f->kernel, &f->terms);
    read_count(&root, "operations", &f->kernel, &f->operations);
    if (!file->failed)
        file_read_values(&root, f);
    if (!file->failed)
        file_read_edges(&root, f);
    read_trusted(&root, f);
    f->kernel.generate = generate;
    f->kernel.operations = f->operations.steps ? operations : NULL;
    f->kernel.counts_are_claims = true;
}

int kernel_file_load(const char *path, const char *type, struct kernel_file **out, struct err *e)
{
    struct yaml_file file;
    *out = NULL;
    if (yaml_open(&file, path, e) != 0)
        return -1;
    struct kernel_file *f = xcalloc(1, sizeof *f);
    const char *slash = strrchr(path, '/');
    f->path = xstrdup(path);
    f->name = xstrdup(slash ? slash + 1 : path);
    f->kernel.file = f;
    read_all(&file, f, type);
    yaml_close(&file);
    if (file.failed) {
        kernel_file_free(f);
        return -1;
    }
    *out = f;
    return 0;
}

static void free_extents(struct extents *x)
{
    for (int i = 0; i < EXTENTS_MOST; i++)
        free(x->text[i]);
}

void kernel_file_free(struct kernel_file *f)
{
    if (!f)
        return;
    for (int i = 0; i < KERNEL_MAX_INPUTS; i++)
        free_extents(&f->input_size[i]);
    free_extents(&f->output_size);
    for (int i = 0; i < KERNEL_FILE_KINDS; i++)
        free((char *)(uintptr_t)f->kind[i].name);
    free(f->path);
    free(f->name);
    free(f->about);
    free(f->types);
    free(f->function);
    free(f->trusted);
    free(f->trusted_compile);
    free(f);
}
