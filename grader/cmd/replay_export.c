#include "cmd/replay_export.h"
#include "cmd/replay_export_file.h"
#include "cmd/replay_export_make.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "kernel/kernel.h"
#include "model/source_name.h"
#include "model/unit_sources.h"
#include "rundir/paths.h"

enum { TEMPLATE_MOST = 1 << 20 };

static const struct tier *tier_of(const struct replay_export *x)
{
    return &x->run->assignment->tiers[x->unit->tier];
}

static int write_text(const struct replay_export *x, const char *name, const struct strbuf *text,
                      struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", x->dir, name);
    return fs_write_atomic(path, text->s, text->len, e);
}

/* --- case.h and the matrices ------------------------------------------------------------------ */

static void add_operands(struct strbuf *sb, const struct kernel *k, struct shape s)
{
    strbuf_adds(sb, "/* The inputs: their files and sizes, and how the function gets them. */\n");
    strbuf_addf(sb, "#define INPUTS %d\n#define INPUT_FILES {", k->inputs);
    for (int i = 0; i < k->inputs; i++)
        strbuf_addf(sb, "%s{\"%s.bin\", %zu}", i ? ", " : "", k->in[i].name,
                    operand_bytes(&k->in[i], s));
    strbuf_adds(sb, "}\n#define INPUT_BYTES {");
    for (int i = 0; i < k->inputs; i++)
        strbuf_addf(sb, "%s%zu", i ? ", " : "", operand_bytes(&k->in[i], s));
    strbuf_adds(sb, "}\n#define ARGUMENTS(in) ");
    for (int i = 0; i < k->inputs; i++)
        strbuf_addf(sb, "%s(const %s *)(in)[%d]", i ? ", " : "", type_in_c(k->in[i].type), i);
    strbuf_addf(sb,
                "\n/* The output. */\n#define OUTPUT \"%s\"\n#define ELEMENT %s\n"
                "#define ROWS ((size_t)%zu)\n#define COLS ((size_t)%zu)\n",
                k->out.name, type_in_c(k->out.type), operand_rows(&k->out, s),
                operand_cols(&k->out, s));
}

static int write_header(const struct replay_export *x, const struct kernel *k, struct err *e)
{
    const struct test_case *c = x->test_case;
    char function[LAUNCH_FUNCTION_MOST];
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    int dim[SHAPE_DIMS];
    const int dims = kernel_arguments(k, c->shape, dim);
    launch_function(tier_of(x)->kind, k->function, function);
    strbuf_addf(&sb,
                "/* %s, case %s: %s values. Written by paragrade replay --export. */\n"
                "#ifndef CASE_H\n#define CASE_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
                "#include \"%s.h\"\n\n"
                "#define FUNCTION %s\n/* The dimensions: ",
                x->unit->id, x->case_name, kernel_values_name(k, c->values), k->problem, function);
    for (int i = 0; i < dims; i++)
        strbuf_addf(&sb, "%s%s", i ? ", " : "", kernel_argument_name(k, i));
    strbuf_adds(&sb, ". */\n#define DIMENSIONS ");
    for (int i = 0; i < dims; i++)
        strbuf_addf(&sb, "%s%d", i ? ", " : "", dim[i]);
    strbuf_adds(&sb, "\n");
    add_operands(&sb, k, c->shape);
    strbuf_addf(&sb,
                "/* Its elements may differ from the expected ones by rounding. */\n"
                "#define ROUNDED %d\n\n#endif\n",
                !kernel_values_exact(k, c->values));
    return write_text(x, "case.h", &sb, e);
}

static int write_matrix(const struct replay_export *x, const char *name, const void *data,
                        size_t bytes, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s.bin", x->dir, name);
    return fs_write_atomic(path, data, bytes, e);
}

/* For rounded results: by how much element (i, j) may be wrong, as a product of two numbers. */
static int write_tolerance(const struct replay_export *x, const struct kernel *k,
                           const void *const in[], struct err *e)
{
    const struct shape s = x->test_case->shape;
    if (kernel_values_exact(k, x->test_case->values))
        return 0;
    const size_t rows = operand_rows(&k->out, s), cols = operand_cols(&k->out, s);
    OWNED double *row = xcalloc(rows, sizeof *row), *col = xcalloc(cols, sizeof *col);
    k->scale(s, in, row, col);
    for (size_t i = 0; i < rows; i++)
        row[i] *= KERNEL_ERROR_MOST * type_roundoff(k->out.type);
    int rc = write_matrix(x, "tolerance_rows", row, rows * sizeof *row, e);
    if (rc == 0)
        rc = write_matrix(x, "tolerance_cols", col, cols * sizeof *col, e);
    return rc;
}

/* The matrices as the grader makes them. 64: the trusted kernel wants them aligned. */
static int write_matrices(const struct replay_export *x, const struct kernel *k, struct err *e)
{
    const struct test_case *c = x->test_case;
    const uint64_t seed = case_run_seed(c, x->first_run);
    const size_t out_bytes = operand_bytes(&k->out, c->shape);
    void *in[KERNEL_MAX_INPUTS] = {0}, *out = NULL;
    const void *given[KERNEL_MAX_INPUTS] = {0};
    int rc = posix_memalign(&out, 64, out_bytes);
    for (int i = 0; i < k->inputs && rc == 0; i++) {
        rc = posix_memalign(&in[i], 64, operand_bytes(&k->in[i], c->shape));
        given[i] = in[i];
    }
    if (rc != 0)
        rc = err_system(e, "out of memory for the matrices of the case");
    for (int i = 0; i < k->inputs && rc == 0; i++) {
        k->generate(k, c->shape, c->values, seed, i, in[i]);
        rc = write_matrix(x, k->in[i].name, in[i], operand_bytes(&k->in[i], c->shape), e);
    }
    if (rc == 0) {
        k->expect(c->shape, given, out);
        rc = write_matrix(x, "expected", out, out_bytes, e);
    }
    if (rc == 0)
        rc = write_tolerance(x, k, given, e);
    for (int i = 0; i < k->inputs; i++)
        free(in[i]);
    free(out);
    return rc;
}

/* --- files that are copied -------------------------------------------------------------------- */

static int copy_shared(const struct replay_export *x, const char *part, const char *to,
                       struct err *e)
{
    OWNED char *from = install_share(part), *path = xasprintf("%s/%s", x->dir, to);
    return from ? fs_copy(from, path, TEMPLATE_MOST, e)
                : err_system(e, "this installation lacks %s", part);
}

static int copy_templates(const struct replay_export *x, struct err *e)
{
    OWNED char *launch =
        xasprintf("testcases/replay/launch_%s.c", launch_kind_name(tier_of(x)->kind));
    return copy_shared(x, "testcases/replay/main.c", "main.c", e) == 0 &&
                   copy_shared(x, "testcases/replay/launch.h", "launch.h", e) == 0 &&
                   copy_shared(x, "testcases/replay/outputs.h", "outputs.h", e) == 0 &&
                   copy_shared(x, launch, "launch.c", e) == 0 &&
                   copy_shared(x, "testcases/replay/Makefile", "Makefile", e) == 0 &&
                   copy_shared(x, "testcases/replay/README.txt", "README.txt", e) == 0
               ? 0
               : -1;
}

/* Copy files, which are relative to `from`, to the directory `to` of the program. */
static int copy_files(const struct replay_export *x, const char *from, char *const *names,
                      const char *to, struct err *e)
{
    OWNED char *below = xasprintf("%s/%s", x->dir, to);
    int rc = 0;
    for (size_t i = 0; names[i] && rc == 0; i++)
        rc = tree_copy_below(from, names[i], below, TEMPLATE_MOST, e);
    return rc;
}

/* The adapter, if there is one, as a further source. */
static int copy_adapter(const struct replay_export *x, struct unit_sources *s, struct err *e)
{
    const struct tier *t = tier_of(x);
    if (!tier_adapts(t, x->run->plan->submissions[x->unit->submission].is_reference))
        return 0;
    OWNED char *from = rundir_adapter(x->run->dir, t);
    OWNED char *name = xasprintf("%s%s", ADAPTER_NAME, t->adapter_suffix);
    OWNED char *to = xasprintf("%s/src/%s", x->dir, name);
    int rc = fs_copy(from, to, ADAPTER_MOST, e);
    if (rc == 0)
        unit_sources_add(s, name);
    return rc;
}

static int copy_headers(const struct replay_export *x, struct err *e)
{
    char *from = install_path("include/paragrade"), **names = NULL;
    size_t n = 0;
    int rc = tree_list(from, SUBMISSION_FILES_MOST, &names, &n, e);
    if (rc == 0) {
        names = xrealloc_array(names, n + 1, sizeof *names);
        names[n] = NULL;
        rc = copy_files(x, from, names, "include", e);
        fs_list_free(names, n);
    }
    free(from);
    return rc;
}

/* Sources, headers, adapter; and the part of the Makefile that names them. */
static int copy_sources(const struct replay_export *x, struct err *e)
{
    OWNED char *from =
        rundir_sources(x->run->dir, x->run->plan->submissions[x->unit->submission].id);
    struct unit_sources s;
    int rc = unit_sources_find(from, tier_of(x), x->unit->source, &s, e);
    if (rc == 0) {
        rc = copy_files(x, from, s.compiled, "src", e) == 0 &&
                     copy_files(x, from, s.headers, "src", e) == 0 && copy_headers(x, e) == 0 &&
                     copy_adapter(x, &s, e) == 0
                 ? 0
                 : -1;
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        replay_export_make(x, s.compiled, &sb);
        if (rc == 0)
            rc = write_text(x, "case.mk", &sb, e);
        unit_sources_free(&s);
    }
    return rc;
}

/* --- the directory ---------------------------------------------------------------------------- */

/* *made: it was not there before. */
static int make_directory(const char *dir, bool *made, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    *made = !fs_exists(dir);
    if (*made)
        return fs_mkdirs(dir, e);
    if (!fs_is_dir(dir))
        return err_input(e, "--export: %s is not a directory", dir);
    if (fs_list(dir, &names, &count, e) != 0)
        return -1;
    return count ? err_input(e, "--export: %s is not empty; give a new directory", dir) : 0;
}

/* Remove what was written to a directory that was empty before. */
static void clear_directory(const char *dir, bool made)
{
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        fs_remove_tree(path, NULL);
    }
    if (made)
        rmdir(dir);
}

int replay_export(const struct replay_export *x, struct err *e)
{
    const struct kernel *k = tier_of(x)->kernel;
    bool made;
    if (tier_of(x)->axes_count)
        return err_input(e, "--export: units of a sweep have many combinations; export one of the "
                            "tier that it varies");
    if (k->file && replay_export_refuses(k, e) != 0)
        return -1;
    if (make_directory(x->dir, &made, e) != 0)
        return -1;
    if (copy_templates(x, e) == 0 && copy_sources(x, e) == 0 &&
        (k->file                      ? replay_export_file(x, k, e)
         : write_header(x, k, e) == 0 ? write_matrices(x, k, e)
                                      : -1) == 0)
        return 0;
    clear_directory(x->dir, made);
    return -1;
}
