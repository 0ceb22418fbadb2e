/* file_edges.c - sizes at which implementations are often wrong: those of the file, and some that
 * every kernel has. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file_read.h"
#include "kernel/outputs.h"

/* One less and one more than every usual width of vectors and blocks, and some primes. */
static const int usual[] = {1,  2,  3,  4,  5,  7,  8,   9,   13,  15,  16,  17,   31,
                            32, 33, 63, 64, 65, 97, 127, 128, 129, 255, 257, 1000, 1031};
enum { USUAL = sizeof usual / sizeof usual[0] };

/* Operands of edges are at most so large: the trusted source computes them all. Those that every
 * kernel has are smaller, because the work may grow with a power of the elements; and where
 * `operations` tells the work, that is bounded, too. */
enum { ELEMENTS_MOST = 1 << 21, USUAL_MOST = 1 << 17, OPERATIONS_MOST = 100000000 };

static bool is_small(const struct kernel *k, struct shape s, size_t most)
{
    if (kernel_takes(k, s, NULL) != 0)
        return false;
    for (int i = 0; i < kernel_outputs(k); i++)
        if (operand_elements(kernel_output(k, i), s) > most)
            return false;
    for (int i = 0; i < k->inputs; i++)
        if (operand_elements(&k->in[i], s) > most)
            return false;
    return true;
}

static void add(struct kernel_file *f, struct shape s, size_t most)
{
    struct kernel *k = &f->kernel;
    if (k->edges_count == KERNEL_FILE_EDGES || !is_small(k, s, most))
        return;
    for (int i = 0; i < k->edges_count; i++)
        if (shape_equal(f->edges[i], s))
            return;
    f->edges[k->edges_count++] = s;
}

static void add_small(struct kernel_file *f, struct shape s)
{
    if (!(kernel_operations(&f->kernel, s) > OPERATIONS_MOST)) /* it may be NAN */
        add(f, s, USUAL_MOST);
}

/* How many of the usual numbers: with several dimensions, problems grow fast. */
static int count_of(int dims)
{
    return dims == 1 ? USUAL : dims == 2 ? 22 : 15;
}

static void add_usual(struct kernel_file *f)
{
    const int dims = f->kernel.dims, n = count_of(dims);
    for (int i = 0; i < n; i++)
        if (dims == 1 || usual[i] <= 17)
            add_small(f, shape_cube(dims, usual[i]));
    /* Mixed: each dimension meets small and large ones, and no two go in step. */
    for (int i = 0; i < n && dims > 1; i++) {
        struct shape s = {0};
        for (int d = 0; d < dims; d++)
            s.dim[d] = usual[(i * (2 * d + 1) + 5 * d) % n];
        add_small(f, s);
    }
    for (int d = 0; d < dims && dims > 1; d++) {
        struct shape s = shape_cube(dims, 3);
        s.dim[d] = 1000;
        add_small(f, s);
        s = shape_cube(dims, 1);
        s.dim[d] = 200;
        add_small(f, s);
    }
}

void file_read_edges(const struct yaml_at *root, struct kernel_file *f)
{
    const struct yaml_at at = yaml_get(root, "edges");
    unsigned n = 0;
    char **texts = yaml_strings(&at, &n);
    bool empty[SHAPE_DIMS] = {false};
    /* They say which dimensions may be 0. */
    for (int d = 0; d < f->kernel.dims; d++)
        f->kernel.may_be_empty[d] = true;
    for (unsigned i = 0; i < n && !root->file->failed; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        if (kernel_shape(&f->kernel, texts[i], NULL, &s, &e) != 0)
            yaml_error(&at, "%s", e.text);
        else if (!is_small(&f->kernel, s, ELEMENTS_MOST))
            yaml_error(&at, "'%.40s' is too large for an edge; operands have at most 2^21 elements",
                       texts[i]);
        else
            add(f, s, ELEMENTS_MOST);
        for (int d = 0; d < f->kernel.dims; d++)
            empty[d] = empty[d] || s.dim[d] == 0;
    }
    memcpy(f->kernel.may_be_empty, empty, sizeof empty);
    texts_free(texts, n);
    add_usual(f);
    f->kernel.edges = f->edges;
    if (!root->file->failed && !f->kernel.edges_count)
        yaml_error(root, "no usual size fits the sizes of the operands: write some as `edges`");
}
