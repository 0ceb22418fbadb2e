#include "kernel/kernel.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "kernel/compare.h"

/* --- shapes ----------------------------------------------------------------------------------- */

/* "M x N x K". The caller frees it. */
static char *dim_names(const struct kernel *k)
{
    struct strbuf sb = STRBUF_INIT;
    for (int i = 0; i < k->dims; i++)
        strbuf_addf(&sb, "%s%s", i ? " x " : "", k->dim_name[i]);
    return strbuf_detach(&sb);
}

static int no_shape(const struct kernel *k, const char *text, struct err *e)
{
    static const struct shape example = {{300, 20, 4000, 50}};
    struct shape s = {{0}};
    char numbers[SHAPE_TEXT], *names = dim_names(k);
    memcpy(s.dim, example.dim, (size_t)k->dims * sizeof s.dim[0]);
    shape_format(s, numbers);
    err_input(e, "'%.60s' is not a size; write 1024, or %s for %s", text, numbers, names);
    free(names);
    return -1;
}

char *kernel_shape_text(const struct kernel *k, struct shape s)
{
    struct strbuf sb = STRBUF_INIT;
    char *names = dim_names(k);
    for (int i = 0; i < k->dims; i++)
        strbuf_addf(&sb, "%s%d", i ? " x " : "", s.dim[i]);
    strbuf_addf(&sb, " (%s)", names);
    free(names);
    return strbuf_detach(&sb);
}

static int check_extent(const struct operand *o, const char *text, struct shape s, struct err *e)
{
    const size_t rows = operand_rows(o, s), cols = operand_cols(o, s);
    if (rows * cols > INT_MAX)
        return err_input(e, "'%.60s': %s would have %zu x %zu elements, more than 2^31 - 1", text,
                         o->name, rows, cols);
    return 0;
}

int kernel_shape(const struct kernel *k, const char *text, struct shape *s, struct err *e)
{
    long long v[SHAPE_DIMS] = {0};
    int n = 0, rc = 0;
    char *copy = xstrdup(text);
    for (char *part = copy; part && rc == 0;) {
        char *x = strchr(part, 'x');
        if (x)
            *x = '\0';
        rc = n == k->dims ? -1 : parse_int(part, 1, INT_MAX, &v[n], NULL);
        n++;
        part = x ? x + 1 : NULL;
    }
    free(copy);
    if (rc != 0 || (n != 1 && n != k->dims))
        return no_shape(k, text, e);
    *s = shape_cube(k->dims, (int)v[0]);
    for (int i = 0; i < n && n > 1; i++)
        s->dim[i] = (int)v[i];
    for (int i = 0; i < k->inputs; i++)
        if (check_extent(&k->in[i], text, *s, e) != 0)
            return -1;
    return check_extent(&k->out, text, *s, e);
}

void kernel_dim_key(const struct kernel *k, int dim, char out[DIM_KEY])
{
    size_t n = 0;
    for (const char *c = k->dim_name[dim]; *c && n + 1 < DIM_KEY; c++)
        out[n++] = (char)tolower((unsigned char)*c);
    out[n] = '\0';
}

double kernel_bytes(const struct kernel *k, struct shape s)
{
    double sum = (double)operand_bytes(&k->out, s);
    for (int i = 0; i < k->inputs; i++)
        sum += (double)operand_bytes(&k->in[i], s);
    return sum;
}

/* --- results ---------------------------------------------------------------------------------- */

uint64_t kernel_compare(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                        struct accuracy *a)
{
    static uint64_t (*const compare[])(const struct kernel *, const struct comparison *,
                                       struct mismatch *, struct accuracy *) = {
        [TYPE_I32] = compare_i32, [TYPE_F32] = compare_f32, [TYPE_F64] = compare_f64};
    return compare[k->out.type](k, c, m, a);
}

uint64_t kernel_poison_pattern(const struct kernel *k, uint64_t random)
{
    const uint64_t fraction = random | UINT64_C(0x0001010101010101);
    /* 2^1 .. 2^8, either sign */
    const uint32_t number = ((uint32_t)fraction & 0x83ffffff) | 0x40000000;
    switch (k->out.type) {
    case TYPE_F32:
        return (uint64_t)((uint32_t)(fraction >> 32) | 0x7fc00000) << 32 | number;
    case TYPE_F64:
        return random & 2
                   ? fraction | UINT64_C(0x7ff8000000000000)
                   : (fraction & UINT64_C(0x807fffffffffffff)) | UINT64_C(0x4000000000000000);
    default:
        return random;
    }
}

void kernel_poison(void *dst, size_t bytes, uint64_t pattern)
{
    unsigned char *p = dst;
    size_t words = bytes / sizeof pattern;
    for (size_t i = 0; i < words; i++)
        memcpy(p + i * sizeof pattern, &pattern, sizeof pattern);
    memcpy(p + words * sizeof pattern, &pattern, bytes % sizeof pattern);
}
