#include "kernel/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/yaml_read.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

/* How a trusted source is compiled. Rounding in other directions must not be computed ahead. */
#define TRUSTED_COMPILE                                                                            \
    "gcc -std=gnu11 -O2 -frounding-math -fPIC -shared -I{abi} -o {out} {src} -lm"

bool kernel_file_is_meant(const char *text)
{
    const size_t n = strlen(text);
    return strchr(text, '/') || (n > 5 && strcmp(text + n - 5, ".yaml") == 0);
}

static void read_count(const struct yaml_at *root, const char *key, const struct kernel *k,
                       struct expression *x)
{
    const struct yaml_at at = yaml_get(root, key);
    struct err e = ERR_INIT;
    OWNED char *text = yaml_string(&at, "");
    if (yaml_present(&at) && !root->file->failed &&
        expression_read(text, k->dim_name, k->dims, false, x, &e) != 0)
        yaml_error(&at, "%s", e.text);
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
    double most = 1;
    for (int i = 0; i < kernel_outputs(&f->kernel); i++) {
        const double n = (double)operand_elements(kernel_output(&f->kernel, i), s);
        most = n > most ? n : most;
    }
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
    const struct generator_target t = {.type = k->in[i].type,
                                       .n = (uint32_t)operand_elements(&k->in[i], s),
                                       .dim = s.dim,
                                       .terms = terms_of(f, s),
                                       .seed = seed,
                                       .input = i};
    generators_fill(&f->generators[values - VALUES_OWN][i], &t, dst);
}

static char *read_source(const struct yaml_at *at, const char *otherwise)
{
    char *name = yaml_string(at, otherwise);
    if (name && !at->file->failed && (strchr(name, '/') || !*name || *name == '.'))
        yaml_error(at, "the trusted source lies beside this file, so write its name alone");
    return name;
}

/* What is compared with the trusted source must be another one. */
static void refuse_trusted(const struct yaml_at *at, const struct kernel_file *f, const char *name)
{
    if (!at->file->failed && strcmp(name, f->trusted) == 0)
        yaml_error(at, "is the trusted source itself; name another source");
}

static void read_mistakes(const struct yaml_at *trusted, struct kernel_file *f)
{
    const struct yaml_at list = yaml_get(trusted, "mistakes");
    const unsigned n = yaml_count(&list);
    if (n > KERNEL_FILE_MISTAKES)
        yaml_error(&list, "%u mistakes, and %d are the most", n, KERNEL_FILE_MISTAKES);
    if (n && f->check)
        yaml_error(&list, "a check tells by itself what is wrong with a result");
    for (unsigned i = 0; i < n && !list.file->failed; i++) {
        const struct yaml_at at = yaml_item(&list, i);
        yaml_expect_keys(&at, (const char *const[]){"source", "says", NULL});
        const struct yaml_at source = yaml_need(&at, "source"), says = yaml_need(&at, "says");
        struct kernel_mistake *m = &f->mistake[f->mistakes++];
        m->source = read_source(&source, "");
        refuse_trusted(&source, f, m->source);
        m->says = yaml_words(&says, "");
        if (!list.file->failed && strlen(m->says) > KERNEL_MISTAKE_SAYS)
            yaml_error(&says, "%zu characters, and %d are the most", strlen(m->says),
                       KERNEL_MISTAKE_SAYS);
    }
}

static void read_trusted(const struct yaml_at *root, struct kernel_file *f)
{
    const struct yaml_at at = yaml_need(root, "trusted");
    yaml_expect_keys(&at, (const char *const[]){"source", "second", "mistakes", "check", "values",
                                                "compile", NULL});
    const struct yaml_at source = yaml_need(&at, "source"), second = yaml_get(&at, "second"),
                         check = yaml_get(&at, "check"), values = yaml_get(&at, "values");
    f->trusted = read_source(&source, "");
    f->second = read_source(&second, NULL);
    if (f->second)
        refuse_trusted(&second, f, f->second);
    f->check = read_source(&check, NULL);
    f->maker = read_source(&values, NULL);
    if (!root->file->failed)
        read_mistakes(&at, f);
    if (!root->file->failed)
        file_read_check(&at, f);
    if (!root->file->failed)
        file_read_maker(&at, f);
    const struct yaml_at field = yaml_get(&at, "compile");
    f->trusted_compile = yaml_words(&field, TRUSTED_COMPILE);
    if (!root->file->failed &&
        (!strstr(f->trusted_compile, "{src}") || !strstr(f->trusted_compile, "{out}")))
        yaml_error(&field, "the command needs {src} and {out}, as in: %s", TRUSTED_COMPILE);
}

static void read_all(struct yaml_file *file, struct kernel_file *f, const char *type)
{
    static const char *const keys[] = {"function", "types",    "operands",   "values", "timed",
                                       "compare",  "terms",    "operations", "edges",  "about",
                                       "trusted",  "examples", NULL};
    const struct yaml_at root = yaml_root(file);
    struct yaml_at at = yaml_get(&root, "about");
    yaml_expect_keys(&root, keys);
    f->about = yaml_words(&at, "");
    file_read_function(&root, f, type);
    if (file->failed)
        return;
    file_read_operands(&root, f);
    read_count(&root, "terms", &f->kernel, &f->terms);
    read_count(&root, "operations", &f->kernel, &f->operations);
    f->kernel.operations = f->operations.steps ? operations : NULL;
    if (!file->failed)
        file_read_compare(&root, f);
    if (!file->failed)
        file_read_values(&root, f);
    if (!file->failed)
        file_read_edges(&root, f);
    if (!file->failed)
        file_read_examples(&root, f);
    read_trusted(&root, f);
    if (!file->failed)
        file_refuse_names(&root, f);
    f->kernel.generate = generate;
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

void kernel_file_parts(const struct kernel_file *f, const char *name[KERNEL_FILE_PARTS])
{
    int n = 0;
    name[n++] = f->name;
    name[n++] = f->trusted;
    if (f->check)
        name[n++] = f->check;
    if (f->maker)
        name[n++] = f->maker;
    for (int i = 0; i < f->mistakes; i++)
        name[n++] = f->mistake[i].source;
    name[n] = NULL;
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
    for (int i = 0; i < KERNEL_FILE_INPUTS; i++)
        free_extents(&f->input_size[i]);
    for (int i = 0; i < KERNEL_MAX_OUTPUTS; i++)
        free_extents(&f->output_size[i]);
    for (int i = 0; i < KERNEL_FILE_KINDS; i++)
        free((char *)(uintptr_t)f->kind[i].name);
    free(f->path);
    free(f->name);
    free(f->about);
    free(f->types);
    free(f->function);
    free(f->trusted);
    free(f->trusted_compile);
    free(f->second);
    for (int i = 0; i < f->mistakes; i++) {
        free(f->mistake[i].source);
        free(f->mistake[i].says);
    }
    free(f->check);
    free(f->check_function);
    free(f->maker);
    free(f->making_function);
    file_free_examples(f);
    free(f);
}
