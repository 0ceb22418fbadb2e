/* compare_outputs.c - a result beside the right one; of a kernel in a file, each output by its own
 * rule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/compare.h"
#include "kernel/file.h"
#include "kernel/outputs.h"

/* The one output of k, by its type. */
static uint64_t compare_output(const struct kernel *k, const struct comparison *c,
                               struct mismatch *m, struct accuracy *a)
{
    static uint64_t (*const compare[])(const struct kernel *, const struct comparison *,
                                       struct mismatch *, struct accuracy *) = {
        [TYPE_I32] = compare_i32, [TYPE_F32] = compare_f32, [TYPE_F64] = compare_f64};
    if (type_is_complex(k->out.type))
        return compare_complex(k, c, m, a);
    return (int)k->out.type < TYPE_COUNT ? compare[k->out.type](k, c, m, a)
                                         : compare_whole(k, c, m, a);
}

/* What the check of the exercise judges: one output, or several at once. */
static const char *checked_name(const struct kernel *k, int output)
{
    for (int i = 0; i < kernel_outputs(k); i++)
        if (i != output && k->file->rule[i].how == RULE_CHECK)
            return "the result";
    return kernel_output(k, output)->name;
}

/* No element is wrong by itself. */
static uint64_t compare_checked(const struct kernel *k, const struct comparison *c, int i,
                                struct mismatch *m, struct accuracy *a)
{
    const struct operand *o = kernel_output(k, i);
    const size_t at = kernel_output_at(k, c->shape, i);
    const bool right = c->checked
                           ? c->checked->right
                           : memcmp((const char *)c->expected + at, (const char *)c->got + at,
                                    operand_bytes(o, c->shape)) == 0;
    *m = (struct mismatch){.present = !right, .wrong = !right, .total = 1};
    *a = (struct accuracy){NAN, NAN};
    snprintf(m->element, sizeof m->element, "%s", checked_name(k, i));
    snprintf(m->pattern, sizeof m->pattern, "%s", c->checked && !right ? c->checked->why : "");
    return !right;
}

/* Output i by itself. */
static uint64_t compare_one(const struct kernel *k, const struct comparison *c, int i,
                            struct mismatch *m, struct accuracy *a)
{
    const struct output_rule *rule = &k->file->rule[i];
    if (rule->how == RULE_CHECK)
        return compare_checked(k, c, i, m, a);
    const struct kernel one = kernel_with_output(k, i);
    const size_t at = kernel_output_at(k, c->shape, i), bytes = operand_bytes(&one.out, c->shape);
    struct comparison x = *c;
    OWNED unsigned char *expected = NULL, *got = NULL;
    x.expected = (const unsigned char *)c->expected + at;
    x.got = (const unsigned char *)c->got + at;
    x.spread = c->spread ? c->spread + kernel_output_elements(k, c->shape, i) : NULL;
    x.least_spread = c->least_spread ? c->least_spread + i : NULL;
    x.initial = one.out.initial ? c->in[one.out.initial - 1] : NULL;
    x.exact = rule->how != RULE_AUTO;
    if (!output_rule_is_plain(rule)) {
        expected = xcalloc(bytes + 1, 1);
        got = xcalloc(bytes + 1, 1);
        memcpy(expected, x.expected, bytes);
        memcpy(got, x.got, bytes);
        output_rule_apply(rule, k, i, c->shape, c->expected, expected, got);
        x.expected = expected;
        x.got = got;
    }
    const uint64_t wrong = compare_output(&one, &x, m, a);
    const size_t used = strlen(m->pattern);
    if (wrong && rule->how == RULE_WITHIN)
        snprintf(m->pattern + used, sizeof m->pattern - used, "; a difference of %g is allowed",
                 fmax(rule->absolute, rule->relative * fabs(strtod(m->expected, NULL))));
    if (wrong && rule->order == ORDER_LABELS)
        snprintf(m->pattern + used, sizeof m->pattern - used,
                 "; a label is shown as the first element that has it");
    kernel_element_name(&one, c->shape, m->row, m->col, m->element);
    return wrong;
}

static uint64_t compare_outputs(const struct kernel *k, const struct comparison *c,
                                struct mismatch *m, struct accuracy *a)
{
    uint64_t wrong = 0;
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    for (int i = 0; i < kernel_outputs(k); i++) {
        struct mismatch one;
        struct accuracy errors;
        wrong += compare_one(k, c, i, &one, &errors);
        a->max = fmax(a->max, errors.max);
        a->rms = fmax(a->rms, errors.rms);
        if (one.present && !m->present)
            *m = one;
    }
    return wrong;
}

uint64_t kernel_compare(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                        struct accuracy *a)
{
    if (k->file)
        return compare_outputs(k, c, m, a);
    const uint64_t wrong = compare_output(k, c, m, a);
    kernel_element_name(k, c->shape, m->row, m->col, m->element);
    return wrong;
}
