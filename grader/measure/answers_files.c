#include "measure/answers_files.h"

#include "base/fsio.h"
#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"

static int write_file(const char *dir, const char *name, const char *what, const void *data,
                      size_t bytes, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s.%s", dir, name, what);
    return fs_write_atomic(path, data, bytes, e);
}

static int write_output(const struct harness *h, const struct test_case *c, int i, const char *dir,
                        struct err *e)
{
    const struct kernel *k = h->kernel;
    const struct operand *o = kernel_output(k, i);
    const size_t n = operand_elements(o, c->shape);
    const unsigned char *block = arena_yard_output(&h->arena, 0);
    const double *spread = answers_spread(&h->answers, &h->arena, 0);
    OWNED double *allowed = xcalloc(n + 1, sizeof *allowed);
    output_rule_allow(&k->file->rule[i], k, i, c->shape, block,
                      spread ? spread + kernel_output_elements(k, c->shape, i) : NULL, allowed);
    int rc = write_file(dir, o->name, "expected.bin", block + kernel_output_at(k, c->shape, i),
                        operand_bytes(o, c->shape), e);
    if (rc == 0)
        rc = write_file(dir, o->name, "tolerance.bin", allowed, n * sizeof *allowed, e);
    return rc;
}

int answers_files_write(struct harness *h, const struct test_case *c, uint64_t run, const char *dir,
                        struct err *e)
{
    struct outcome o;
    if (harness_lay_out(h, c->shape, 1, ON_CORES, &o) == 0 &&
        harness_generate(h, c, run, 1, &o) == 0)
        harness_trusted_answers(h, c, 1, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    int rc = 0;
    for (int i = 0; i < h->kernel->inputs && rc == 0; i++)
        rc = write_file(dir, h->kernel->in[i].name, "bin", arena_input(&h->arena, i, 0),
                        operand_bytes(&h->kernel->in[i], c->shape), e);
    for (int i = 0; i < kernel_outputs(h->kernel) && rc == 0; i++)
        rc = write_output(h, c, i, dir, e);
    return rc;
}
