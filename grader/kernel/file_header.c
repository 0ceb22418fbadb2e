/* file_header.c - the header of a kernel file, which students include. */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"

enum { COLUMNS = 80 };

static const char *in_c(const struct prototype_type *t, enum element_type type)
{
    return t->is_void ? "void" : type_in_c(t->is_t ? type : t->type);
}

/* Dimensions are written as most people write them. */
static bool is_int(const struct parameter *q)
{
    return !q->pointer && !q->type.is_t && q->type.type == TYPE_I32;
}

/* by_pointer: a result becomes the last parameter, because a device cannot return it. */
static void add_prototype(struct strbuf *sb, const struct kernel_file *f, enum element_type type,
                          const char *suffix, const char *extra, bool by_pointer)
{
    const struct prototype *p = &f->prototype;
    const bool moved = by_pointer && !p->result.is_void;
    strbuf_addf(sb, "%s %s", moved ? "void" : in_c(&p->result, type), p->name);
    if (f->types_count)
        strbuf_addf(sb, "_%s", type_name(type));
    strbuf_addf(sb, "%s(", suffix);
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        strbuf_addf(sb, "%s%s%s %s%s", i ? ", " : "", q->constant ? "const " : "",
                    is_int(q) ? "int" : in_c(&q->type, type), q->pointer ? "*" : "", q->name);
    }
    if (moved)
        strbuf_addf(sb, ", %s *result", in_c(&p->result, type));
    strbuf_addf(sb, "%s);\n", extra);
}

char *kernel_file_prototype(const struct kernel_file *f)
{
    struct strbuf sb = STRBUF_INIT;
    add_prototype(&sb, f, f->chosen, "", "", false);
    return strbuf_detach(&sb);
}

static void add_prototypes(struct strbuf *sb, const struct kernel_file *f, const char *suffix,
                           const char *extra, bool by_pointer)
{
    if (!f->types_count)
        add_prototype(sb, f, f->chosen, suffix, extra, by_pointer);
    for (unsigned i = 0; i < f->types_count; i++)
        add_prototype(sb, f, f->types[i], suffix, extra, by_pointer);
}

/* The results, or with `right_` before their names, the right ones. */
static void add_results(struct strbuf *sb, const struct kernel_file *f, enum element_type type,
                        const char *before)
{
    const struct prototype *p = &f->prototype;
    for (int i = 0; i < p->parameters && *before; i++)
        if (p->parameter[i].pointer && !p->parameter[i].constant)
            strbuf_addf(sb, ", const %s *%s%s", in_c(&p->parameter[i].type, type), before,
                        p->parameter[i].name);
    if (!p->result.is_void)
        strbuf_addf(sb, ", const %s *%sresult", in_c(&p->result, type), before);
}

/* The function that says whether a result is right: file_check.c has the order. */
static void add_check(struct strbuf *sb, const struct kernel_file *f, enum element_type type)
{
    const struct prototype *p = &f->prototype;
    strbuf_addf(sb, "int %s%s%s_check(", p->name, f->types_count ? "_" : "",
                f->types_count ? type_name(type) : "");
    for (int i = 0; i < p->parameters; i++) {
        const struct parameter *q = &p->parameter[i];
        strbuf_addf(sb, "%s%s%s %s%s", i ? ", " : "", q->pointer ? "const " : "",
                    is_int(q) ? "int" : in_c(&q->type, type), q->pointer ? "*" : "", q->name);
    }
    add_results(sb, f, type, "");
    add_results(sb, f, type, "right_");
    for (int i = 0; i < kernel_outputs(&f->kernel); i++) {
        const struct operand *o = kernel_output(&f->kernel, i);
        if (o->initial)
            strbuf_addf(sb, ", const %s *%s_before", type_in_c(o->type), o->name);
    }
    strbuf_addf(sb, ", char why[%d]);\n", CHECK_WHY);
}

/* The function that makes values: file_maker.c has the order. */
static void add_maker(struct strbuf *sb, const struct kernel_file *f, enum element_type type)
{
    const struct prototype *p = &f->prototype;
    strbuf_addf(sb, "void %s%s%s_values(const char *kind, uint64_t key", p->name,
                f->types_count ? "_" : "", f->types_count ? type_name(type) : "");
    for (int i = 0; i < f->kernel.arguments_count; i++) {
        const struct call_argument *a = &f->kernel.arguments[i];
        const struct parameter *q = &p->parameter[i];
        if (a->what == ARGUMENT_DIMENSION || a->what == ARGUMENT_WIDE)
            strbuf_addf(sb, ", %s %s", is_int(q) ? "int" : in_c(&q->type, type), q->name);
        else if (a->what == ARGUMENT_INPUT || kernel_output(&f->kernel, a->index)->initial)
            strbuf_addf(sb, ", %s *%s", in_c(&q->type, type), q->name);
    }
    strbuf_adds(sb, ");\n");
}

static void add_makers(struct strbuf *sb, const struct kernel_file *f)
{
    strbuf_adds(sb,
                "#endif\n\n#ifdef PARAGRADE_VALUES\n/* Of the exercise itself: makes all inputs of "
                "this kind of values, the same ones\n * from the same key. The next of many random "
                "numbers: uint64_t state = key;\n * next_random(&state) % 10 */\n"
                "static inline uint64_t next_random(uint64_t *state)\n{\n"
                "    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);\n"
                "    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);\n"
                "    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);\n"
                "    return x ^ x >> 31;\n}\n");
    if (!f->types_count)
        add_maker(sb, f, f->chosen);
    for (unsigned i = 0; i < f->types_count; i++)
        add_maker(sb, f, f->types[i]);
}

static void add_size(struct strbuf *sb, const struct operand *o, const char *what)
{
    strbuf_addf(sb, " *   %s", o->name);
    for (int k = 0; k < o->size->count; k++)
        strbuf_addf(sb, "[%s]", o->size->text[k]);
    strbuf_addf(sb, " %s.\n", what);
}

static void add_sizes(struct strbuf *sb, const struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    for (int i = 0; i < k->arguments_count; i++) {
        const struct call_argument *a = &k->arguments[i];
        if (a->what == ARGUMENT_INPUT && !k->in[a->index].by_value)
            add_size(sb, &k->in[a->index], "is only read");
        else if (a->what == ARGUMENT_OUTPUT)
            add_size(sb, kernel_output(k, a->index),
                     kernel_output(k, a->index)->initial ? "is changed in place"
                                                         : "is written, every element of it");
    }
}

static bool uses(const struct kernel_file *f, enum element_type type)
{
    const struct prototype *p = &f->prototype;
    bool found = !p->result.is_void && !p->result.is_t && p->result.type == type;
    for (int i = 0; i < p->parameters; i++)
        found = found || (!p->parameter[i].type.is_t && p->parameter[i].type.type == type);
    for (unsigned i = 0; i < f->types_count; i++)
        found = found || f->types[i] == type;
    return found;
}

/* Types that C and C++ do not have, or not by the same name. */
static void add_types(struct strbuf *sb, const struct kernel_file *f)
{
    static const char *const parts[] = {[TYPE_C64] = "float", [TYPE_C128] = "double"};
    const bool complex = uses(f, TYPE_C64) || uses(f, TYPE_C128);
    if (uses(f, TYPE_BOOL))
        strbuf_adds(sb, "#include <stdbool.h>\n");
    if (complex)
        strbuf_adds(sb, "#ifdef __cplusplus\n#include <complex>\n#endif\n");
    for (int t = TYPE_C64; t <= TYPE_C128; t++)
        if (uses(f, (enum element_type)t))
            strbuf_addf(sb,
                        "#ifdef __cplusplus\ntypedef std::complex<%s> %s;\n#else\n"
                        "typedef %s _Complex %s;\n#endif\n",
                        parts[t], type_in_c((enum element_type)t), parts[t],
                        type_in_c((enum element_type)t));
    strbuf_adds(sb, "\n");
}

/* A comment that ends early would let the rest of the text into the code. */
static void add_about(struct strbuf *sb, const char *about)
{
    OWNED char *text = xreplace(about, "*/", "* /");
    strbuf_add_paragraph(sb, text, " * ", COLUMNS);
}

static void add_ranks(struct strbuf *sb, const struct kernel_file *f)
{
    OWNED char *ranks = kernel_file_ranks(f),
               *text = xasprintf("MPI tier, collective over comm: %s", ranks);
    strbuf_add_paragraph(sb, text, " * ", COLUMNS);
}

char *kernel_file_header(const struct kernel_file *f)
{
    struct strbuf sb = STRBUF_INIT;
    OWNED char *guard = xasprintf("PARAGRADE_%s_H", f->prototype.name);
    for (char *c = guard; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    strbuf_adds(&sb, "/*\n");
    add_about(&sb, *f->about ? f->about : f->prototype.name);
    strbuf_adds(&sb, " *\n");
    add_sizes(&sb, f);
    strbuf_addf(
        &sb,
        " *   Operands start at multiples of 64 bytes, do not overlap, and have at most 2^31 - 1\n"
        " *   elements. The function may be called any number of times. It must be finished when "
        "it\n"
        " *   returns: threads joined or idle, nothing still being written.\n"
        " */\n#ifndef %s\n#define %s\n\n#include <stdint.h>\n",
        guard, guard);
    add_types(&sb, f);
    strbuf_adds(&sb, "#ifdef PARAGRADE_MPI\n#include <mpi.h>\n#endif\n"
                     "#ifdef PARAGRADE_CUDA\n#include <cuda_runtime_api.h>\n#endif\n\n"
                     "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/* Host tiers. */\n");
    add_prototypes(&sb, f, "", "", false);
    strbuf_adds(&sb, "\n#ifdef PARAGRADE_MPI\n/*\n");
    add_ranks(&sb, f);
    strbuf_adds(&sb, " */\n");
    add_prototypes(&sb, f, "_mpi", ", MPI_Comm comm", false);
    strbuf_adds(&sb, "#endif\n\n#ifdef PARAGRADE_CUDA\n/* CUDA tier: device pointers; all work is "
                     "ordered on the stream. */\n");
    add_prototypes(&sb, f, "_cuda", ", cudaStream_t stream", true);
    strbuf_adds(&sb, "#ifdef PARAGRADE_MPI\n/* A rank for each GPU, collective over comm: device "
                     "pointers of rank 0, NULL elsewhere. */\n");
    add_prototypes(&sb, f, "_mpi_cuda", ", MPI_Comm comm, cudaStream_t stream", true);
    strbuf_adds(
        &sb,
        "#endif\n#endif\n\n#ifdef PARAGRADE_OPENACC\n/* OpenACC tier: host pointers whose data "
        "is present on the device. */\n");
    add_prototypes(&sb, f, "_acc", "", true);
    if (f->check)
        strbuf_adds(&sb, "#endif\n\n#ifdef PARAGRADE_CHECK\n/* Of the exercise itself: 0 if the "
                         "result is wrong; then it may write why. */\n");
    if (f->check && !f->types_count)
        add_check(&sb, f, f->chosen);
    for (unsigned i = 0; f->check && i < f->types_count; i++)
        add_check(&sb, f, f->types[i]);
    if (f->maker)
        add_makers(&sb, f);
    strbuf_adds(&sb, "#endif\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    return strbuf_detach(&sb);
}
