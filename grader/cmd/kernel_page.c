#include "cmd/kernel_page.h"

#include <string.h>

#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "kernel/part.h"

enum { COLUMNS = 100, ELEMENTS_SHOWN = 12 };

static void add_paragraph(struct strbuf *to, const char *text)
{
    strbuf_adds(to, "\n");
    strbuf_add_paragraph(to, text, "", COLUMNS);
}

static void add_size(struct strbuf *sb, const struct operand *o, bool first)
{
    strbuf_addf(sb, "%s`%s", first ? "" : ", ", o->name);
    for (int i = 0; i < o->size->count; i++)
        strbuf_addf(sb, "[%s]", o->size->text[i]);
    strbuf_adds(sb, "`");
}

/* Operands of one role, in the order of the parameters. */
enum role { ROLE_READ, ROLE_IN_PLACE, ROLE_WRITTEN };

static void add_role(struct strbuf *sb, const struct kernel *k, enum role role, const char *words)
{
    bool first = true;
    for (int i = 0; i < k->arguments_count; i++) {
        const struct call_argument *a = &k->arguments[i];
        const bool input = a->what == ARGUMENT_INPUT;
        if (!input && a->what != ARGUMENT_OUTPUT)
            continue;
        const struct operand *o = input ? &k->in[a->index] : kernel_output(k, a->index);
        if (role != (input ? ROLE_READ : o->initial ? ROLE_IN_PLACE : ROLE_WRITTEN))
            continue;
        if (first)
            strbuf_addf(sb, "%s%s", sb->len ? " " : "", words);
        add_size(sb, o, first);
        first = false;
    }
    strbuf_adds(sb, first ? "" : ".");
}

static void add_operands(struct strbuf *to, const struct kernel *k)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    add_role(&sb, k, ROLE_READ, "Inputs: ");
    add_role(&sb, k, ROLE_IN_PLACE, "Changed in place: ");
    add_role(&sb, k, ROLE_WRITTEN, "Written: ");
    add_paragraph(to, sb.s);
}

/* How an output is compared. The caller frees it. */
static char *rule_text(const struct kernel *k, int output)
{
    const struct output_rule *r = &k->file->rule[output];
    struct strbuf sb = STRBUF_INIT;
    if (r->how == RULE_WITHIN && r->absolute > 0)
        strbuf_addf(&sb, "may be off by %g", r->absolute);
    if (r->how == RULE_WITHIN && r->relative > 0)
        strbuf_addf(&sb, "%s by %g times the right value", r->absolute > 0 ? " or" : "may be off",
                    r->relative);
    if (r->how == RULE_CHECK)
        strbuf_adds(&sb, "may be any right answer");
    else if (r->how != RULE_WITHIN)
        strbuf_adds(&sb, r->how == RULE_AUTO && type_is_rounded(kernel_output(k, output)->type)
                             ? "may be rounded as by other orders of summation"
                             : "must be exactly right");
    const char *rows = kernel_output(k, output)->size->count > 1 ? "rows " : "";
    if (r->order == ORDER_SET)
        strbuf_addf(&sb, ", %sin any order", rows);
    else if (r->order == ORDER_GROUPS)
        strbuf_addf(&sb, ", %sin any order where `%s` is equal", rows,
                    kernel_output(k, r->key)->name);
    else if (r->order == ORDER_LABELS)
        strbuf_adds(&sb, ", whatever the names of the sets");
    if (r->length)
        strbuf_addf(&sb, " in the first `%s` rows", kernel_output(k, r->length - 1)->name);
    if (r->mask)
        strbuf_addf(&sb, " where `%s` is not 0", kernel_output(k, r->mask - 1)->name);
    else if (r->where.steps)
        strbuf_adds(&sb, ", where it counts");
    return strbuf_detach(&sb);
}

/* Outputs with the same rule stand together. */
static void add_rule(struct strbuf *sb, const struct kernel *k, int first)
{
    OWNED char *text = rule_text(k, first);
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    bool told = false;
    for (int i = 0; i < kernel_outputs(k); i++) {
        OWNED char *other = rule_text(k, i);
        const bool same = strcmp(text, other) == 0;
        told = told || (same && i < first);
        if (same)
            strbuf_addf(&names, "%s`%s`", names.len ? ", " : "", kernel_output(k, i)->name);
    }
    if (!told)
        strbuf_addf(sb, "%s%s %s", first ? "; " : "", names.s, text);
}

static void add_rules(struct strbuf *to, const struct kernel *k)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "Checked: ");
    for (int i = 0; i < kernel_outputs(k); i++)
        add_rule(&sb, k, i);
    strbuf_adds(&sb, ".");
    add_paragraph(to, sb.s);
}

static void add_elements(struct strbuf *sb, const struct operand *o, struct shape s, const void *at)
{
    const size_t n = operand_elements(o, s);
    char text[ELEMENT_TEXT];
    strbuf_addf(sb, "`%s` = ", o->name);
    for (size_t i = 0; i < n && i < ELEMENTS_SHOWN; i++) {
        element_text(o->type, at, i, text);
        strbuf_addf(sb, "%s%s", i ? " " : "", text);
    }
    strbuf_adds(sb, n > ELEMENTS_SHOWN ? " ..." : "");
}

static void add_example(struct strbuf *to, const struct kernel_file *f)
{
    const struct kernel_example *x = &f->example[0];
    const struct kernel *k = &f->kernel;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "Example: ");
    for (int i = 0; i < k->dims; i++)
        strbuf_addf(&sb, "%s`%s` = %d", i ? ", " : "", k->dim_name[i], x->shape.dim[i]);
    for (int i = 0; i < k->inputs; i++) {
        strbuf_adds(&sb, ", ");
        add_elements(&sb, &k->in[i], x->shape, x->in[i]);
    }
    strbuf_adds(&sb, " gives ");
    for (int i = 0; i < kernel_outputs(k); i++) {
        strbuf_adds(&sb, i ? ", " : "");
        add_elements(&sb, kernel_output(k, i), x->shape,
                     (const unsigned char *)x->out + kernel_output_at(k, x->shape, i));
    }
    strbuf_adds(&sb, ".");
    add_paragraph(to, sb.s);
}

static double points_of(const struct assignment *a, const struct tier *t)
{
    double points = t->points.correct;
    for (unsigned i = 0; i < tier_size_count(a, t); i++)
        for (unsigned j = 0; j < t->points.speed_count; j++)
            if (speed_rule_is_for(&t->points.speed[j], tier_size(a, t, i)))
                points += t->points.speed[j].points;
    return points;
}

static void add_tiers(struct strbuf *to, const struct assignment *a)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "Tiers: ");
    bool any = false;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct tier *t = &a->tiers[i];
        const double points = points_of(a, t);
        if (t->reference_only)
            continue;
        strbuf_addf(&sb, "%s`%s` (%g %s)", any ? ", " : "", t->sources[0], points,
                    points == 1 ? "point" : "points");
        any = true;
    }
    strbuf_adds(&sb, ". Begin with `paragrade start`, try with `paragrade check`.");
    add_paragraph(to, sb.s);
}

static void add_ranks(struct strbuf *to, const struct kernel_file *f)
{
    OWNED char *ranks = kernel_file_ranks(f), *text = xasprintf("MPI: %s", ranks);
    add_paragraph(to, text);
}

char *kernel_page(const struct assignment *a, bool tiers)
{
    const struct kernel_file *f = a->kernel_file;
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "# %s\n", a->title);
    if (*f->about)
        add_paragraph(&sb, f->about);
    OWNED char *prototype = kernel_file_prototype(f);
    strbuf_addf(&sb, "\n    %s", prototype);
    add_operands(&sb, &f->kernel);
    if (kernel_is_spread(&f->kernel))
        add_ranks(&sb, f);
    add_rules(&sb, &f->kernel);
    if (f->examples)
        add_example(&sb, f);
    if (tiers)
        add_tiers(&sb, a);
    return strbuf_detach(&sb);
}
