/* file_compare.c - `compare` of a kernel file: how each output is compared. */
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

/* The output of that name, from 0. */
static int find_output(const struct yaml_at *at, const struct kernel *k, const char *name)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    int found = -1;
    for (int i = 0; i < kernel_outputs(k); i++) {
        strbuf_addf(&known, "%s%s", i ? ", " : "", kernel_output(k, i)->name);
        if (strcmp(kernel_output(k, i)->name, name) == 0)
            found = i;
    }
    if (found < 0)
        yaml_error(at, "'%.30s' is no output; there are: %s", name, known.s);
    return found < 0 ? 0 : found;
}

/* Of their first extents, as many as `a` has. */
static bool same_extents(const struct operand *a, const struct operand *b)
{
    bool same = a->size->count <= b->size->count;
    for (int i = 0; same && i < a->size->count; i++)
        same = strcmp(a->size->text[i], b->size->text[i]) == 0;
    return same;
}

/* An output with an element for each of this one. */
static int find_beside(const struct yaml_at *at, const struct kernel *k, int output,
                       const char *name)
{
    const int i = find_output(at, k, name);
    const struct operand *beside = kernel_output(k, i), *of = kernel_output(k, output);
    if (!at->file->failed && (!same_extents(beside, of) || beside->size->count != of->size->count))
        yaml_error(at, "%s and %s must have the same size", name, of->name);
    return i;
}

/* An output with an element for each of this one, or for each row of it. */
static int find_key(const struct yaml_at *at, const struct kernel *k, int output, const char *name)
{
    const int i = find_output(at, k, name);
    const struct operand *key = kernel_output(k, i), *of = kernel_output(k, output);
    if (!at->file->failed &&
        (!same_extents(key, of) || (key->size->count != 1 && key->size->count != of->size->count)))
        yaml_error(at, "%s and %s must have the same size, or %s an element for each row of %s",
                   name, of->name, name, of->name);
    return i;
}

/* An output of one whole number. */
static int find_length(const struct yaml_at *at, const struct kernel *k, const char *name)
{
    const int i = find_output(at, k, name);
    const struct operand *o = kernel_output(k, i);
    const bool one = !o->size->count || (o->size->count == 1 && strcmp(o->size->text[0], "1") == 0);
    if (!at->file->failed && (!type_is_integer(o->type) || !one))
        yaml_error(at, "a length is an output that is one integer: the result, or of size [1]");
    return i;
}

static void read_within(const struct yaml_at *at, struct output_rule *r)
{
    const struct yaml_at absolute = yaml_get(at, "absolute"), relative = yaml_get(at, "relative");
    yaml_expect_keys(at, (const char *const[]){"absolute", "relative", NULL});
    r->how = RULE_WITHIN;
    r->absolute = yaml_number(&absolute, 0, 1e300, 0);
    r->relative = yaml_number(&relative, 0, 1, 0);
    if (!yaml_present(&absolute) && !yaml_present(&relative))
        yaml_error(at, "expected, for example, {absolute: 1} or {relative: 1e-6}");
}

/* Names in a condition: the dimensions, then i, j, k, l for the indices. */
static void read_where(const struct yaml_at *at, const struct kernel *k, int output,
                       struct output_rule *r)
{
    static const char *const index[EXTENTS_MOST] = {"i", "j", "k", "l"};
    const char *names[EXPRESSION_NAMES];
    const int extents = kernel_output(k, output)->size->count;
    const char *text = yaml_text(at);
    struct err e = ERR_INIT;
    int n = 0;
    for (int i = 0; i < kernel_outputs(k); i++)
        if (text && strcmp(text, kernel_output(k, i)->name) == 0) {
            r->mask = 1 + find_beside(at, k, output, text);
            return;
        }
    for (int i = 0; i < k->dims; i++)
        names[n++] = k->dim_name[i];
    for (int i = 0; i < extents; i++) {
        for (int d = 0; d < k->dims; d++)
            if (strcmp(index[i], k->dim_name[d]) == 0)
                yaml_error(at,
                           "%s is the name of a dimension and of an index; rename the dimension",
                           index[i]);
        names[n++] = index[i];
    }
    OWNED char *owned = yaml_string(at, "");
    if (!at->file->failed && expression_read(owned, names, n, true, &r->where, &e) != 0)
        yaml_error(at, "%s", e.text);
}

/* Names of sets. Nothing else can be said about them. */
static void read_labels(const struct yaml_at *at, const struct kernel *k, int output,
                        struct output_rule *r)
{
    static const char *const others[] = {"within", "set", "groups", "where", "length"};
    const enum element_type type = kernel_output(k, output)->type;
    if (!type_is_integer(type) || type_bytes(type) < 4)
        yaml_error(at, "labels are integers of at least 32 bits, and %s is %s",
                   kernel_output(k, output)->name, type_in_c(type));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct yaml_at other = yaml_get(at, others[i]);
        if (yaml_present(&other))
            yaml_error(&other, "labels have a place and no value, so partition stands alone");
    }
    r->order = ORDER_LABELS;
}

static void read_order(const struct yaml_at *at, const struct kernel *k, int output,
                       struct output_rule *r)
{
    const struct yaml_at set = yaml_get(at, "set"), groups = yaml_get(at, "groups");
    if (yaml_bool(&set, false))
        r->order = ORDER_SET;
    if (!yaml_present(&groups))
        return;
    OWNED char *name = yaml_string(&groups, "");
    if (r->order == ORDER_SET)
        yaml_error(&groups, "a set has no groups");
    r->order = ORDER_GROUPS;
    if (!at->file->failed)
        r->key = find_key(&groups, k, output, name);
    if (!at->file->failed && r->key == output)
        yaml_error(&groups, "the groups come from another output");
}

static void read_mapping(const struct yaml_at *at, const struct kernel *k, int output,
                         struct output_rule *r)
{
    static const char *const keys[] = {"within", "exact",  "set",       "groups",
                                       "where",  "length", "partition", NULL};
    const struct yaml_at labels = yaml_get(at, "partition");
    const struct yaml_at within = yaml_get(at, "within"), exact = yaml_get(at, "exact"),
                         where = yaml_get(at, "where"), length = yaml_get(at, "length");
    yaml_expect_keys(at, keys);
    if (yaml_bool(&exact, false))
        r->how = RULE_EXACT;
    if (yaml_present(&within) && r->how == RULE_EXACT)
        yaml_error(&within, "the output is exact already");
    if (yaml_present(&within))
        read_within(&within, r);
    if (yaml_bool(&labels, false)) {
        read_labels(at, k, output, r);
        return;
    }
    read_order(at, k, output, r);
    if (yaml_present(&where))
        read_where(&where, k, output, r);
    if (yaml_present(&where) && r->order != ORDER_FIXED)
        yaml_error(&where, "elements in any order have no place to choose them by");
    if (!yaml_present(&length))
        return;
    OWNED char *name = yaml_string(&length, "");
    if (!at->file->failed)
        r->length = 1 + find_length(&length, k, name);
}

static bool is_number(const struct yaml_at *at)
{
    const char *text = yaml_text(at);
    struct err e = ERR_INIT;
    double number;
    return text && parse_double(text, 0, INFINITY, &number, &e) == 0;
}

static void read_one(const struct yaml_at *at, const struct kernel *k, int output,
                     struct output_rule *r)
{
    static const char *const ways[] = {"auto", "exact", "set", "partition", "check", NULL};
    const bool real = type_is_rounded(kernel_output(k, output)->type);
    if (at->node && at->node->type == YAML_MAPPING_NODE) {
        read_mapping(at, k, output, r);
    } else if (is_number(at)) {
        yaml_error(at,
                   "how far results may be off is written {within: {absolute: %s}}, or relative",
                   yaml_text(at));
    } else {
        const int way = yaml_choice(at, ways, 0);
        r->how = way == 1 ? RULE_EXACT : way == 4 ? RULE_CHECK : RULE_AUTO;
        r->order = way == 2 ? ORDER_SET : ORDER_FIXED;
        if (way == 3)
            read_labels(at, k, output, r);
        if (!real && way == 0)
            yaml_error(at, "%s has integers, which are always exact",
                       kernel_output(k, output)->name);
    }
    /* Which of two rounded elements comes first is chance. */
    if (real && r->how == RULE_AUTO && r->order != ORDER_FIXED)
        r->how = RULE_EXACT;
}

void file_read_compare(const struct yaml_at *root, struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    const struct yaml_at at = yaml_get(root, "compare");
    const char *name;
    struct yaml_at how;
    for (unsigned i = 0; yaml_pair(&at, i, &name, &how) && !root->file->failed; i++) {
        const int output = find_output(&how, k, name);
        if (!root->file->failed)
            read_one(&how, k, output, &f->rule[output]);
    }
    f->exact = true;
    for (int i = 0; i < kernel_outputs(k); i++)
        f->exact = f->exact &&
                   (f->rule[i].how != RULE_AUTO || !type_is_rounded(kernel_output(k, i)->type));
}
