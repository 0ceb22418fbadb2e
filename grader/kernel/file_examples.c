/* file_examples.c - the examples of a kernel file: small inputs, and what comes out. */
#include <float.h>
#include <limits.h>
#include <stdlib.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

#define FILE_AFTER "after"

static void read_number(const struct yaml_at *at, enum element_type t, void *array, size_t i)
{
    const int bits = 8 * (int)type_bytes(t);
    const long long most = t == TYPE_BOOL ? 1
                           : bits == 64   ? LLONG_MAX
                                          : (1LL << (bits - type_is_signed(t))) - 1;
    if (type_is_real(t))
        element_set_real(t, array, i, yaml_number(at, -DBL_MAX, DBL_MAX, 0));
    else if (t == TYPE_U64)
        ((uint64_t *)array)[i] = yaml_u64(at, 0);
    else
        element_set_whole(t, array, i,
                          yaml_integer(at, type_is_signed(t) ? -most - 1 : 0, most, 0));
}

/* Numbers of an operand, by rows or in one list. A complex element is two: [1, -2]. */
struct numbers {
    enum element_type type; /* of a part */
    unsigned parts;
    void *array;
    size_t room, count;
};

static void read_numbers(const struct yaml_at *at, struct numbers *n, int depth)
{
    if (at->node && at->node->type == YAML_SEQUENCE_NODE && depth <= EXTENTS_MOST) {
        for (unsigned i = 0; i < yaml_count(at) && !at->file->failed; i++) {
            const struct yaml_at item = yaml_item(at, i);
            read_numbers(&item, n, depth + 1);
        }
        return;
    }
    if (n->count < n->room)
        read_number(at, n->type, n->array, n->count);
    n->count++;
}

/* {2: 3, 7: 1}: all other elements are 0. */
static void read_some(const struct yaml_at *at, struct numbers *n)
{
    const char *key;
    struct yaml_at item;
    const size_t elements = n->room / n->parts;
    for (unsigned i = 0; yaml_pair(at, i, &key, &item); i++) {
        long long index;
        struct numbers one = *n;
        if (parse_int(key, 0, (long long)elements - 1, &index, NULL) != 0) {
            yaml_error(&item, "'%.20s' is no index of an element; they are 0 to %zu", key,
                       elements - 1);
            continue;
        }
        one.count = (size_t)index * n->parts;
        one.room = one.count + n->parts;
        read_numbers(&item, &one, EXTENTS_MOST);
        if (one.count != one.room)
            yaml_error(&item, "an element of %s is %u numbers", key, n->parts);
    }
    n->count = n->room;
}

/* Into an array that has room for the operand. */
static void read_operand(const struct yaml_at *map, const struct operand *o, struct shape s,
                         void *array, int *line)
{
    const struct yaml_at at = yaml_need(map, o->name);
    if (map->file->failed)
        return;
    const unsigned parts = type_is_complex(o->type) ? 2 : 1;
    struct numbers n = {type_of_part(o->type), parts, array, parts * operand_elements(o, s), 0};
    *line = at.line;
    if (at.node->type == YAML_MAPPING_NODE)
        read_some(&at, &n);
    else
        read_numbers(&at, &n, 0);
    if (n.count != n.room)
        yaml_error(&at, "%s has %zu %s%s here, and the example gives %zu", o->name, n.room,
                   parts == 2 ? "number" : "element", n.room == 1 ? "" : "s", n.count);
}

static void read_inputs(const struct yaml_at *at, const struct kernel *k, struct kernel_example *x)
{
    int line;
    for (int i = 0; i < k->inputs && !at->file->failed; i++) {
        x->in[i] = xcalloc(operand_bytes(&k->in[i], x->shape) + 1, 1);
        read_operand(at, &k->in[i], x->shape, x->in[i], &line);
    }
}

/* What is changed in place is an input by its name, and a result in `after`. */
static void read_outputs(const struct yaml_at *at, const struct kernel *k, struct kernel_example *x)
{
    const struct yaml_at after = yaml_get(at, FILE_AFTER);
    const char *keys[KERNEL_MAX_OUTPUTS + 1] = {NULL};
    int n = 0;
    for (int i = 0; i < kernel_outputs(k); i++)
        if (kernel_output(k, i)->initial)
            keys[n++] = kernel_output(k, i)->name;
    if (n)
        yaml_expect_keys(&after, keys);
    x->out = xcalloc(kernel_output_bytes(k, x->shape) + 1, 1);
    for (int i = 0; i < kernel_outputs(k) && !at->file->failed; i++) {
        const struct operand *o = kernel_output(k, i);
        read_operand(o->initial ? &after : at, o, x->shape,
                     (char *)x->out + kernel_output_at(k, x->shape, i), &x->line[i]);
    }
}

static void read_example(const struct yaml_at *at, struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    struct kernel_example *x = &f->example[f->examples++];
    const char *keys[SHAPE_DIMS + KERNEL_FILE_INPUTS + KERNEL_MAX_OUTPUTS + 2] = {NULL};
    struct err e = ERR_INIT;
    int n = 0;
    for (int i = 0; i < k->dims; i++)
        keys[n++] = k->dim_name[i];
    for (int i = 0; i < k->inputs; i++)
        keys[n++] = k->in[i].name;
    for (int i = 0; i < kernel_outputs(k); i++)
        if (!kernel_output(k, i)->initial)
            keys[n++] = kernel_output(k, i)->name;
    if (kernel_in_place(k))
        keys[n++] = FILE_AFTER;
    yaml_expect_keys(at, keys);
    for (int i = 0; i < k->dims; i++) {
        const struct yaml_at dim = yaml_need(at, k->dim_name[i]);
        x->shape.dim[i] = (int)yaml_integer(&dim, 1, KERNEL_EXAMPLE_DIM, 1);
    }
    if (!at->file->failed && kernel_takes(k, x->shape, &e) != 0)
        yaml_error(at, "%s", e.text);
    if (at->file->failed)
        return;
    read_inputs(at, k, x);
    read_outputs(at, k, x);
}

void file_read_examples(const struct yaml_at *root, struct kernel_file *f)
{
    const struct yaml_at at = yaml_get(root, "examples");
    const unsigned n = yaml_count(&at);
    if (n > KERNEL_FILE_EXAMPLES)
        yaml_error(&at, "there are more than %d examples", KERNEL_FILE_EXAMPLES);
    for (unsigned i = 0; i < n && !root->file->failed; i++) {
        const struct yaml_at example = yaml_item(&at, i);
        read_example(&example, f);
    }
}

void file_free_examples(struct kernel_file *f)
{
    for (int i = 0; i < f->examples; i++) {
        for (int k = 0; k < KERNEL_FILE_INPUTS; k++)
            free(f->example[i].in[k]);
        free(f->example[i].out);
    }
}
