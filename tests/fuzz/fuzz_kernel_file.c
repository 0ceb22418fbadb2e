/* An instructor's kernel file: what is accepted can make cases, values and a header. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fuzz.h"
#include "kernel/file.h"

/* Elements that are made: a file may ask for large operands. */
enum { MOST = 4096 };

static void fill(const struct kernel *k, struct shape s)
{
    static double x[MOST];
    for (int v = 0; v < k->values_count; v++)
        for (int i = 0; i < k->inputs; i++)
            if (operand_bytes(&k->in[i], s) <= sizeof x)
                k->generate(k, s, k->values[v], 1, i, x);
}

static void use(const struct kernel_file *f)
{
    const struct kernel *k = &f->kernel;
    FUZZ_ASSERT(k->dims >= 1 && k->dims <= SHAPE_DIMS && k->inputs <= KERNEL_FILE_INPUTS);
    FUZZ_ASSERT(k->values_count > 0 && k->edges_count > 0 && f->trusted[0]);
    FUZZ_ASSERT(kernel_values_exact(k, k->values[0]));
    FUZZ_ASSERT(!type_is_real(k->out.type) == (k->out.type != TYPE_F32 && k->out.type != TYPE_F64));
    for (int i = 0; i < k->edges_count; i++) {
        struct shape s = k->edges[i];
        FUZZ_ASSERT(kernel_complete(k, &s, NULL) == 0 && operand_elements(&k->out, s) > 0);
        kernel_operations(k, s);
        free(kernel_shape_text(k, s));
        if (i < 3)
            fill(k, s);
    }
    OWNED char *header = kernel_file_header(f);
    FUZZ_ASSERT(strstr(header, k->function));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {"f64", NULL};
    const char *path = fuzz_file(data, size);
    for (int t = 0; t < 2; t++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        const int rc = kernel_file_load(path, types[t], &f, &e);
        if (rc == 0)
            use(f);
        else
            fuzz_refused(rc, &e);
        FUZZ_ASSERT(!f == (rc != 0));
        kernel_file_free(f);
    }
    return 0;
}
