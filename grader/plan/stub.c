#include "plan/stub.h"

#include <string.h>

#include "model/spread.h"
#include "plan/unwritten.h"

enum { COLUMNS = 100 };

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

/* A list of parameters that goes on below its beginning. */
struct parameters {
    struct strbuf *to;
    size_t line; /* where its line begins in `to` */
    int indent;
    bool any;
};

static void add_parameter(struct parameters *p, const char *text)
{
    if (p->any)
        strbuf_adds(p->to, ",");
    if (p->any && p->to->len - p->line + strlen(text) + 3 > COLUMNS) {
        strbuf_adds(p->to, "\n");
        p->line = p->to->len;
        strbuf_addf(p->to, "%*s", p->indent, "");
    } else if (p->any) {
        strbuf_adds(p->to, " ");
    }
    strbuf_adds(p->to, text);
    p->any = true;
}

/* Indices of a sparse matrix are int, as its header says. */
static void add_operand(struct parameters *p, const struct kernel *k, const struct operand *o,
                        bool in, bool ispc)
{
    static const char *const ispc_types[] = {"int", "float", "double"};
    OWNED char *text =
        ispc ? xasprintf("%suniform %s %s[]", in ? "const " : "", ispc_types[o->type], o->name)
             : xasprintf("%s%s *%s", in ? "const " : "",
                         o->type == k->type ? type_in_c(o->type) : "int", o->name);
    add_parameter(p, text);
}

/* What the kind of launch adds: with its type, or as "(void)name". */
static void add_last(struct parameters *p, const struct tier *t, bool unused)
{
    const struct launch_kind_info *kind = launch_kind_info(t->kind);
    for (int i = 0; kind->parameter[i]; i++) {
        OWNED char *text = unused ? xasprintf("(void)%s", kind->parameter[i])
                                  : xasprintf("%s %s", kind->parameter_type[i], kind->parameter[i]);
        add_parameter(p, text);
    }
}

/* "void gemm_i32_mpi(int M, ..., MPI_Comm comm)" */
static void add_built_in(struct strbuf *to, const struct tier *t, bool ispc)
{
    const struct kernel *k = t->kernel;
    const size_t line = to->len;
    int numbers[SHAPE_DIMS];
    strbuf_addf(to, "%svoid %s%s(", ispc ? "export " : "", k->function,
                launch_kind_info(t->kind)->suffix);
    struct parameters p = {.to = to, .line = line, .indent = (int)(to->len - line)};
    const int n = kernel_arguments(k, (struct shape){0}, numbers);
    for (int i = 0; i < n; i++) {
        OWNED char *text =
            xasprintf("%sint %s", ispc ? "uniform " : "", kernel_argument_name(k, i));
        add_parameter(&p, text);
    }
    for (int i = 0; i < k->inputs; i++)
        add_operand(&p, k, &k->in[i], true, ispc);
    add_operand(&p, k, &k->out, false, ispc);
    add_last(&p, t, false);
    strbuf_adds(to, ")\n");
}

/* --- of a kernel in a file, whose prototype may have another order ---------------------------- */

static bool moves_result(const struct tier *t)
{
    return t->kernel->returns && launch_kind_has(t->kind, KIND_DEVICE);
}

static const char *type_of(const struct kernel *k, const struct prototype_type *p, bool pointer)
{
    const enum element_type type = p->is_t ? k->file->chosen : p->type;
    return p->is_void ? "void" : !pointer && !p->is_t && type == TYPE_I32 ? "int" : type_in_c(type);
}

static void add_declared(struct strbuf *to, const struct tier *t)
{
    const struct kernel *k = t->kernel;
    const struct prototype *f = &k->file->prototype;
    const size_t line = to->len;
    char function[LAUNCH_FUNCTION_MOST];
    launch_function(t->kind, k->function, function);
    strbuf_addf(to, "%s %s(", moves_result(t) ? "void" : type_of(k, &f->result, true), function);
    struct parameters p = {.to = to, .line = line, .indent = (int)(to->len - line)};
    for (int i = 0; i < f->parameters; i++) {
        const struct parameter *q = &f->parameter[i];
        OWNED char *text =
            xasprintf("%s%s %s%s", q->constant ? "const " : "", type_of(k, &q->type, q->pointer),
                      q->pointer ? "*" : "", q->name);
        add_parameter(&p, text);
    }
    OWNED char *result = xasprintf("%s *result", type_in_c(k->out.type));
    if (moves_result(t))
        add_parameter(&p, result);
    add_last(&p, t, false);
    strbuf_adds(to, ")\n");
}

static const char *declared_name(const struct tier *t, int i)
{
    const struct prototype *f = &t->kernel->file->prototype;
    return i < f->parameters                       ? f->parameter[i].name
           : i == f->parameters && moves_result(t) ? "result"
                                                   : NULL;
}

/* --- of any kernel ---------------------------------------------------------------------------- */

static const char *built_in_name(const struct tier *t, int i)
{
    const struct kernel *k = t->kernel;
    int numbers[SHAPE_DIMS];
    const int n = kernel_arguments(k, (struct shape){0}, numbers);
    return i < n                ? kernel_argument_name(k, i)
           : i < n + k->inputs  ? k->in[i - n].name
           : i == n + k->inputs ? k->out.name
                                : NULL;
}

/* So that no compiler warns. */
static void add_unused(struct strbuf *to, const struct tier *t)
{
    struct parameters p = {.to = to, .line = to->len, .indent = 4};
    const char *name;
    strbuf_adds(to, "    ");
    for (int i = 0; (name = t->kernel->file ? declared_name(t, i) : built_in_name(t, i)); i++) {
        OWNED char *text = xasprintf("(void)%s", name);
        add_parameter(&p, text);
    }
    add_last(&p, t, true);
    strbuf_adds(to, ";\n");
    if (t->kernel->returns && !moves_result(t))
        strbuf_adds(to, "    return 0;\n");
}

/* CUDA sources are C++, where a declaration in the header makes the name that of C. */
void stub_add(struct strbuf *to, const struct tier *t, const char *name)
{
    const struct kernel *k = t->kernel;
    const bool ispc = ends_with(name, ".ispc");
    strbuf_addf(to,
                "/*\n * %s - " UNWRITTEN_MARK
                ". %s.h says what the function gets, what it has to compute, "
                "and what it\n * may rely on.\n *\n * This file compiles and leaves %s as it is: "
                "it counts as missing until you write something.\n",
                t->name, k->problem, k->returns ? "the result" : k->out.name);
    if (tier_is_spread(t)) {
        OWNED char *ranks = kernel_file_ranks(k->file), *text = xasprintf("MPI: %s", ranks);
        strbuf_adds(to, " *\n");
        strbuf_add_paragraph(to, text, " * ", COLUMNS);
    }
    strbuf_adds(to, " */\n");
    if (!ispc)
        strbuf_addf(to, "#include \"%s.h\"\n", k->problem);
    strbuf_adds(to, "\n");
    if (k->file)
        add_declared(to, t);
    else
        add_built_in(to, t, ispc);
    strbuf_adds(to, "{\n");
    if (!ispc)
        add_unused(to, t);
    strbuf_adds(to, "}\n");
}
