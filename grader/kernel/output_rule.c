#include "kernel/output_rule.h"

#include <math.h>
#include <string.h>

#include "kernel/element.h"
#include "kernel/element_order.h"
#include "kernel/labels.h"
#include "kernel/outputs.h"

/* An output with its rule. */
struct work {
    const struct output_rule *rule;
    const struct kernel *kernel;
    const struct operand *operand;
    struct shape shape;
    const unsigned char *answers;
    unsigned char *expected, *got;
    size_t bytes; /* of an element */
};

bool output_rule_is_plain(const struct output_rule *r)
{
    return r->how != RULE_WITHIN && r->how != RULE_CHECK && r->order == ORDER_FIXED &&
           !r->where.steps && !r->mask && !r->length;
}

/* Another output of the same problem, as it should be. */
static const void *answer(const struct work *w, int output)
{
    return w->answers + kernel_output_at(w->kernel, w->shape, output);
}

static void forgive(const struct work *w, size_t i)
{
    memcpy(w->got + i * w->bytes, w->expected + i * w->bytes, w->bytes);
}

/* Along the first extent. One number is one row. */
static size_t rows_of(const struct work *w)
{
    return w->operand->size->count ? extents_one(w->operand->size, 0, w->shape.dim) : 1;
}

/* Elements of a row: at least one. */
static size_t width_of(const struct work *w)
{
    const size_t rows = rows_of(w), n = operand_elements(w->operand, w->shape);
    return rows && n > rows ? n / rows : 1;
}

/* How many elements count, by the length that the right answer has. */
static size_t length_of(const struct work *w, size_t elements)
{
    if (!w->rule->length)
        return elements;
    const struct operand *o = kernel_output(w->kernel, w->rule->length - 1);
    const double rows = element_real(o->type, answer(w, w->rule->length - 1), 0);
    return !(rows > 0) ? 0 : rows < (double)rows_of(w) ? (size_t)rows * width_of(w) : elements;
}

/* The dimensions of the problem, then the indices of an element: what `where` is about. */
struct element_index {
    int at[EXPRESSION_NAMES];
    int dims, count;
    int extent[EXTENTS_MOST];
};

static struct element_index first_element(const struct work *w)
{
    struct element_index x = {.dims = w->kernel->dims, .count = w->operand->size->count};
    memcpy(x.at, w->shape.dim, (size_t)x.dims * sizeof *x.at);
    for (int d = 0; d < x.count; d++)
        x.extent[d] = (int)extents_one(w->operand->size, d, w->shape.dim);
    return x;
}

/* The last index changes first. */
static void next_element(struct element_index *x)
{
    for (int d = x->count - 1; d >= 0 && ++x->at[x->dims + d] == x->extent[d]; d--)
        x->at[x->dims + d] = 0;
}

static bool counts(const struct work *w, const struct element_index *x)
{
    int64_t value = 1;
    return !expression_integer(&w->rule->where, x->at, &value) || value != 0;
}

/* x: of element i. */
static bool left_out(const struct work *w, const struct element_index *x, size_t i)
{
    const int mask = w->rule->mask - 1;
    return (w->rule->where.steps && !counts(w, x)) ||
           (mask >= 0 &&
            element_real(kernel_output(w->kernel, mask)->type, answer(w, mask), i) == 0);
}

/* How far a result may be off. Nothing is near infinity. */
static double within(const struct output_rule *r, double expected)
{
    return isfinite(expected) ? fmax(r->absolute, r->relative * fabs(expected)) : 0;
}

static bool near(const struct work *w, size_t i)
{
    const enum element_type t = w->operand->type;
    return element_distance(t, w->got, w->expected, i) <=
           within(w->rule, element_real(t, w->expected, i)); /* false for NAN */
}

/* width: elements of a row. */
static void sort_both(const struct work *w, size_t from, size_t end, size_t width)
{
    const size_t at = from * width * w->bytes;
    rows_sort(w->expected + at, end - from, width, w->operand->type);
    rows_sort(w->got + at, end - from, width, w->operand->type);
}

/* The key has an element for each row, or for each element. */
static void sort_groups(const struct work *w, size_t elements)
{
    const struct operand *o = kernel_output(w->kernel, w->rule->key);
    const bool each = o->size->count == w->operand->size->count;
    const size_t width = each ? 1 : width_of(w), rows = elements / width;
    const void *key = answer(w, w->rule->key);
    for (size_t from = 0, i = 1; i <= rows; i++)
        if (i == rows || element_real(o->type, key, i) != element_real(o->type, key, from)) {
            sort_both(w, from, i, width);
            from = i;
        }
}

void output_rule_apply(const struct output_rule *r, const struct kernel *k, int output,
                       struct shape s, const void *answers, void *expected, void *got)
{
    const struct operand *o = kernel_output(k, output);
    const struct work w = {r, k, o, s, answers, expected, got, type_bytes(o->type)};
    const size_t n = operand_elements(o, s), some = length_of(&w, n);
    struct element_index x = first_element(&w);
    for (size_t i = 0; i < n; i++, next_element(&x))
        if (i >= some || left_out(&w, &x, i))
            forgive(&w, i);
    if (r->order == ORDER_SET)
        sort_both(&w, 0, some / width_of(&w), width_of(&w));
    else if (r->order == ORDER_GROUPS)
        sort_groups(&w, some);
    else if (r->order == ORDER_LABELS) {
        labels_name(o->type, expected, n);
        labels_name(o->type, got, n);
    }
    for (size_t i = 0; i < n && r->how == RULE_WITHIN; i++)
        if (near(&w, i))
            forgive(&w, i);
}

/* As results of floating-point numbers are compared (compare_real.h). */
static void allow_rounding(const struct work *w, size_t n, const double *spread, double *allowed)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        allowed[i] = fmax(spread[i], type_roundoff(w->operand->type) *
                                         fabs(element_real(w->operand->type, w->expected, i)));
        squares += allowed[i] * allowed[i];
    }
    for (size_t i = 0; i < n; i++)
        allowed[i] = KERNEL_ERROR_MOST * fmax(allowed[i], sqrt(squares / (double)n));
}

void output_rule_allow(const struct output_rule *r, const struct kernel *k, int output,
                       struct shape s, const void *answers, const double *spread, double *allowed)
{
    const struct operand *o = kernel_output(k, output);
    unsigned char *expected =
        (unsigned char *)(uintptr_t)answers + kernel_output_at(k, s, output); /* it is only read */
    const struct work w = {r, k, o, s, answers, expected, NULL, type_bytes(o->type)};
    const size_t n = operand_elements(o, s), some = length_of(&w, n);
    if (spread && r->how == RULE_AUTO && type_is_rounded(o->type))
        allow_rounding(&w, n, spread, allowed);
    struct element_index x = first_element(&w);
    for (size_t i = 0; i < n; i++, next_element(&x)) {
        if (r->how == RULE_WITHIN)
            allowed[i] = within(r, element_real(o->type, w.expected, i));
        if (i >= some || left_out(&w, &x, i))
            allowed[i] = (double)INFINITY;
    }
}
