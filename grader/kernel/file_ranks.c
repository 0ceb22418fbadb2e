/* file_ranks.c - the words for what each rank of MPI has of the operands of a kernel file. */
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "kernel/part.h"

/* Operand i in the order of the parameters; NULL: it is no array. */
static const struct operand *array(const struct kernel *k, int i)
{
    const struct call_argument *a = &k->arguments[i];
    if (a->what == ARGUMENT_OUTPUT)
        return kernel_output(k, a->index);
    return a->what == ARGUMENT_INPUT && !k->in[a->index].by_value ? &k->in[a->index] : NULL;
}

/* "x, y"; false: there is none in this place. */
static bool add_names(struct strbuf *sb, const struct kernel *k, enum operand_place on)
{
    bool some = false;
    for (int i = 0; i < k->arguments_count; i++) {
        const struct operand *o = array(k, i);
        if (o && o->on == on) {
            strbuf_addf(sb, "%s%s", some ? ", " : "", o->name);
            some = true;
        }
    }
    return some;
}

/* "x (n rows), y (n rows)" */
static void add_blocks(struct strbuf *sb, const struct kernel *k)
{
    bool some = false;
    for (int i = 0; i < k->arguments_count; i++) {
        const struct operand *o = array(k, i);
        if (!o || o->on != ON_BLOCK)
            continue;
        strbuf_addf(sb, "%s%s (R = %s)", some ? ", " : "rank r of p has a block of ", o->name,
                    o->size->text[0]);
        some = true;
    }
    if (some)
        strbuf_adds(sb,
                    ", from row R * r / p to row R * (r + 1) / p - 1 of the R rows along the "
                    "first extent, in 64-bit arithmetic. The pointer points to the first row of "
                    "the block, which may be empty. ");
}

char *kernel_file_ranks(const struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    struct strbuf sb = STRBUF_INIT;
    if (!kernel_is_spread(k)) {
        strbuf_adds(&sb, "pointers are valid on rank 0 only and NULL elsewhere");
        strbuf_adds(&sb, k->returns ? "; the result of rank 0 counts." : ".");
        return strbuf_detach(&sb);
    }
    add_blocks(&sb, k);
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT, root = STRBUF_INIT;
    if (add_names(&all, k, ON_ALL))
        strbuf_addf(&sb, "%s: each rank has all of it, and writes all of it if it is an output. ",
                    all.s);
    if (add_names(&root, k, ON_ROOT))
        strbuf_addf(&sb, "%s: rank 0 has it, and others get NULL. ", root.s);
    if (k->returns)
        strbuf_adds(&sb, k->out.on == ON_ALL ? "Every rank returns the result. "
                                             : "The result of rank 0 counts. ");
    return strbuf_detach(&sb);
}
