#include "cmd/replay_export_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "model/spread.h"
#include "rundir/paths.h"

int replay_export_refuses(const struct kernel *k, struct err *e)
{
    for (int i = 0; i < kernel_outputs(k); i++)
        if (k->file->rule[i].order != ORDER_FIXED)
            return err_input(e,
                             "--export: %s may be in several orders, and an exported program "
                             "knows one; replay it without --export",
                             kernel_output(k, i)->name);
        else if (k->file->rule[i].how == RULE_CHECK)
            return err_input(e,
                             "--export: only the check of the exercise knows whether %s is right, "
                             "and an exported program does not have it; replay it without --export",
                             kernel_output(k, i)->name);
    return 0;
}

static int write_file(const struct replay_export *x, const char *name, const void *data,
                      size_t bytes, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", x->dir, name);
    return fs_mkdirs_for(path, e) == 0 ? fs_write_atomic(path, data, bytes, e) : -1;
}

/* A number as C has it. */
static void add_value(struct strbuf *sb, const struct operand *o, const void *at)
{
    uint64_t v = 0;
    float f;
    double d;
    memcpy(&v, at, type_bytes(o->type)); /* the low bytes come first on every machine we know */
    memcpy(&f, at, sizeof f);
    memcpy(&d, at, sizeof d);
    if (o->type == TYPE_F32)
        strbuf_addf(sb, "(float)%.9g", (double)f);
    else if (o->type == TYPE_F64)
        strbuf_addf(sb, "(double)%.17g", d);
    else
        strbuf_addf(sb, "(%s)%" PRIu64 "u", type_in_c(o->type), v);
}

static void add_argument(struct strbuf *sb, const struct kernel *k, const struct call_argument *a,
                         struct shape s, void *const in[])
{
    if (a->what == ARGUMENT_DIMENSION || a->what == ARGUMENT_WIDE)
        strbuf_addf(sb, "%d", s.dim[a->index]);
    else if (a->what == ARGUMENT_OUTPUT)
        strbuf_addf(sb, "(%s *)((out) ? (out)[%d] : NULL)",
                    type_in_c(kernel_output(k, a->index)->type), a->index);
    else if (k->in[a->index].by_value)
        add_value(sb, &k->in[a->index], in[a->index]);
    else
        strbuf_addf(sb, "(const %s *)(in)[%d]", type_in_c(k->in[a->index].type), a->index);
}

/* launch.c calls FUNCTION(DIMENSIONS, ARGUMENTS(in), out), and some kinds have one argument more.
 */
static void add_call(struct strbuf *sb, const struct kernel *k, const struct tier *t,
                     struct shape s, void *const in[])
{
    const struct launch_kind_info *kind = launch_kind_info(t->kind);
    const char *more = kind->parameter[1] ? ", more, last" : kind->parameter[0] ? ", more" : "";
    /* A device cannot return a result: there is a pointer to it after the other arguments. */
    const bool moved = k->returns && launch_kind_has(t->kind, KIND_DEVICE),
               returns = k->returns && !moved;
    char function[LAUNCH_FUNCTION_MOST];
    launch_function(t->kind, k->function, function);
    strbuf_addf(
        sb, "#define DIMENSIONS 0\n#define ARGUMENTS(in) in\n#define FUNCTION(none, in, out%s) ",
        more);
    if (returns)
        strbuf_addf(sb, "do { %s result = ", type_in_c(k->out.type));
    strbuf_addf(sb, "%s(", function);
    for (int i = 0; i < k->arguments_count; i++) {
        strbuf_adds(sb, i ? ", " : "");
        add_argument(sb, k, &k->arguments[i], s, in);
    }
    if (moved)
        strbuf_addf(sb, ", (%s *)(out)[0]", type_in_c(k->out.type));
    strbuf_addf(sb, "%s)", more);
    if (returns)
        strbuf_addf(sb, "; if (out && (out)[0]) *(%s *)(out)[0] = result; } while (0)",
                    type_in_c(k->out.type));
    strbuf_adds(sb, "\n");
}

/* As outputs.h has it. */
static char place_of(const struct operand *o)
{
    static const char letters[] = {[ON_ROOT] = 'r', [ON_ALL] = 'a', [ON_BLOCK] = 'b'};
    return letters[o->on];
}

static size_t divided_rows(const struct operand *o, struct shape s)
{
    return o->size->count ? extents_one(o->size, 0, s.dim) : 1;
}

/* What an output holds before the call is where the output is. */
static char place_of_input(const struct kernel *k, int i)
{
    for (int o = 0; o < kernel_outputs(k); o++)
        if (kernel_output(k, o)->initial == i + 1)
            return place_of(kernel_output(k, o));
    return place_of(&k->in[i]);
}

static void add_outputs(struct strbuf *sb, const struct kernel *k, struct shape s)
{
    strbuf_addf(sb, "#define OUTPUTS %d\n#define OUTPUT_TABLE {", kernel_outputs(k));
    for (int i = 0; i < kernel_outputs(k); i++) {
        const struct operand *o = kernel_output(k, i);
        strbuf_addf(
            sb,
            "%s{\"%s\", \"%s.expected.bin\", \"%s.tolerance.bin\", %d, %zu, %zu, %d, '%c', %zu, "
            "'%c', %zu}",
            i ? ", " : "", o->name, o->name, o->name, o->initial - 1, operand_rows(o, s),
            operand_cols(o, s), o->size->count < 2 ? o->size->count : 2, type_name(o->type)[0],
            type_bytes(o->type), place_of(o), divided_rows(o, s));
    }
    strbuf_adds(sb, "}\n#define OUTPUT_BYTES {");
    for (int i = 0; i < kernel_outputs(k); i++)
        strbuf_addf(sb, "%s%zu", i ? ", " : "", operand_bytes(kernel_output(k, i), s));
    strbuf_adds(sb, "}\n");
}

static void add_inputs(struct strbuf *sb, const struct kernel *k, struct shape s)
{
    strbuf_addf(sb, "#define INPUTS %d\n#define INPUT_FILES {", k->inputs ? k->inputs : 1);
    for (int i = 0; i < k->inputs; i++)
        strbuf_addf(sb, "%s{\"%s.bin\", %zu, '%c', %zu}", i ? ", " : "", k->in[i].name,
                    operand_bytes(&k->in[i], s), place_of_input(k, i), divided_rows(&k->in[i], s));
    strbuf_adds(sb, k->inputs ? "}\n#define INPUT_BYTES {"
                              : "{\"case.h\", 1, 'r', 1}}\n"
                                "#define INPUT_BYTES {1");
    for (int i = 0; i < k->inputs; i++)
        strbuf_addf(sb, "%s%zu", i ? ", " : "", operand_bytes(&k->in[i], s));
    strbuf_adds(sb, "}\n");
}

static int write_header(const struct replay_export *x, const struct kernel *k, void *const in[],
                        struct err *e)
{
    const struct test_case *c = x->test_case;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb,
                "/* %s, case %s: %s values. Written by paragrade replay --export. */\n"
                "#ifndef CASE_H\n#define CASE_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
                "#include \"%s.h\"\n\n#define ELEMENT void *\n",
                x->unit->id, x->case_name, kernel_values_name(k, c->values), k->problem);
    if (tier_is_spread(&x->run->assignment->tiers[x->unit->tier]))
        strbuf_adds(&sb, "#define SPREAD /* each rank has operands */\n");
    add_inputs(&sb, k, c->shape);
    add_outputs(&sb, k, c->shape);
    add_call(&sb, k, &x->run->assignment->tiers[x->unit->tier], c->shape, in);
    strbuf_adds(&sb, "\n#endif\n");
    return write_file(x, "case.h", sb.s, sb.len, e);
}

/* The inputs that are there already, for numbers by value. */
static int read_inputs(const struct replay_export *x, const struct kernel *k, void *in[],
                       struct err *e)
{
    int rc = 0;
    for (int i = 0; i < k->inputs && rc == 0; i++) {
        const size_t bytes = operand_bytes(&k->in[i], x->test_case->shape);
        OWNED char *path = xasprintf("%s/%s.bin", x->dir, k->in[i].name), *data = NULL;
        size_t n = 0;
        rc = fs_read(path, bytes + 1, &data, &n, e);
        if (rc == 0) {
            in[i] = xcalloc(bytes + sizeof(double), 1); /* a value is read as the widest type */
            memcpy(in[i], data, n < bytes ? n : bytes);
        }
    }
    return rc;
}

int replay_export_file(const struct replay_export *x, const struct kernel *k, struct err *e)
{
    void *in[KERNEL_MAX_INPUTS] = {0};
    OWNED char *header = kernel_file_header(k->file), *name = xasprintf("include/%s.h", k->problem);
    int rc = write_file(x, name, header, strlen(header), e);
    if (rc == 0)
        rc = x->answers(x->with, x->dir, e);
    if (rc == 0)
        rc = read_inputs(x, k, in, e);
    if (rc == 0)
        rc = write_header(x, k, in, e);
    for (int i = 0; i < k->inputs; i++)
        free(in[i]);
    return rc;
}
