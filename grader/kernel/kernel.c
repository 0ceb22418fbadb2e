#include "kernel/kernel.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "kernel/outputs.h"

/* --- shapes ----------------------------------------------------------------------------------- */

/* "M x N x K". The caller frees it. */
static char *dim_names(const struct kernel *k)
{
    struct strbuf sb = STRBUF_INIT;
    for (int i = 0; i < k->dims; i++)
        strbuf_addf(&sb, "%s%s", i ? " x " : "", k->dim_name[i]);
    return strbuf_detach(&sb);
}

static bool is_sparse(const struct kernel *k)
{
    return k->structures_count > 0;
}

static int no_shape(const struct kernel *k, const char *text, struct err *e)
{
    static const struct shape example = {.dim = {300, 20, 4000, 50}};
    struct shape s = {0};
    char numbers[SHAPE_TEXT], *names = dim_names(k);
    memcpy(s.dim, example.dim, (size_t)k->dims * sizeof s.dim[0]);
    shape_format(s, numbers);
    if (is_sparse(k)) {
        OWNED char *known = structure_families();
        err_input(e,
                  "'%.60s' is not a size; write STRUCTURE:%s for %s. A STRUCTURE is one of: %s. "
                  "Square ones (poisson, rmat) have no %s: poisson:300x4000. A Matrix Market file "
                  "has neither %s nor %s: matrices/a.mtx:4000",
                  text, numbers, names, known, k->dim_name[1], k->dim_name[0], k->dim_name[1]);
    } else {
        err_input(e, "'%.60s' is not a size; write 1024, or %s for %s", text, numbers, names);
    }
    free(names);
    return -1;
}

char *kernel_shape_text(const struct kernel *k, struct shape s)
{
    struct strbuf sb = STRBUF_INIT;
    char *names = dim_names(k), structure[STRUCTURE_TEXT];
    structure_format(s.structure, structure);
    if (is_sparse(k))
        strbuf_addf(&sb, "%s, ", structure);
    for (int i = 0; i < k->dims; i++)
        strbuf_addf(&sb, "%s%d", i ? " x " : "", s.dim[i]);
    strbuf_addf(&sb, " (%s)", names);
    for (int i = 0; i < k->derived; i++)
        strbuf_addf(&sb, ", %s = %d", k->derived_name[i], s.derived[i]);
    free(names);
    return strbuf_detach(&sb);
}

void kernel_size_text(const struct kernel *k, struct shape shape, char out[SHAPE_TEXT])
{
    int used = 0;
    if (shape.structure.family != STRUCTURE_NONE) {
        shape_format(shape, out);
        return;
    }
    if (k->dims == 1) {
        snprintf(out, SHAPE_TEXT, "%.80s=%d", k->dim_name[0], shape.dim[0]);
        return;
    }
    for (int i = 0; i < shape_dims(shape); i++)
        used += snprintf(out + used, SHAPE_TEXT - (size_t)used, "%s%d", i ? "x" : "", shape.dim[i]);
}

bool kernel_same_problem(const struct kernel *a, const struct kernel *b)
{
    return strcmp(a->problem, b->problem) == 0 && a->type == b->type;
}

static int check_extent(const struct kernel *k, const struct operand *o, struct shape s,
                        struct err *e)
{
    if (o->size)
        return extents_check(o->size, o->name, s.dim, k->dims, e);
    const size_t rows = operand_rows(o, s), cols = operand_cols(o, s);
    const double bytes = (double)rows * (double)cols * (double)type_bytes(o->type);
    char text[SHAPE_TEXT];
    if (rows * cols <= INT_MAX)
        return 0;
    shape_format(s, text);
    if (e)
        err_input(e, "'%s': %s would have %zu x %zu elements, more than 2^31 - 1 (%.0f GB)", text,
                  o->name, rows, cols, bytes * 1e-9);
    return -1;
}

int kernel_takes(const struct kernel *k, struct shape s, struct err *e)
{
    for (int i = 0; i < k->inputs; i++)
        if (check_extent(k, &k->in[i], s, e) != 0)
            return -1;
    for (int i = 0; i < k->more_outputs; i++)
        if (check_extent(k, &k->more_out[i], s, e) != 0)
            return -1;
    return check_extent(k, &k->out, s, e);
}

int kernel_complete(const struct kernel *k, struct shape *s, struct err *e)
{
    if (s->structure.family == STRUCTURE_FILE) {
        if (!s->structure.matrix)
            return err_input(e, "%s: the matrix has not been read", s->structure.file);
        s->dim[0] = s->structure.matrix->rows;
        s->dim[1] = s->structure.matrix->cols;
    } else if (structure_is_square(s->structure)) {
        s->dim[1] = s->dim[0];
    }
    if (k->complete)
        return k->complete(s, e);
    return k->file ? kernel_takes(k, *s, e) : 0;
}

struct shape kernel_cube(const struct kernel *k, int size)
{
    struct shape s = shape_cube(k->dims, size);
    struct err ignored = ERR_INIT;
    if (is_sparse(k))
        s.structure = k->structures[0];
    kernel_complete(k, &s, &ignored);
    return s;
}

/* The dimension whose name and = a number begins with, which *part is moved behind; -1: none. */
static int named_dim(const struct kernel *k, char **part)
{
    for (int i = 0; i < k->dims; i++) {
        const size_t n = strlen(k->dim_name[i]);
        if (strncmp(*part, k->dim_name[i], n) == 0 && (*part)[n] == '=') {
            *part += n + 1;
            return i;
        }
    }
    return -1;
}

/* Numbers with an x between them. dim: the dimension that is named before each, or -1. Returns how
 * many, or -1. */
static int read_numbers(const struct kernel *k, const char *text, int most, int *v, int *dim)
{
    int n = 0, rc = 0;
    OWNED char *copy = xstrdup(text);
    for (char *part = copy; part && rc == 0;) {
        long long number = 0;
        const int named = named_dim(k, &part); /* the name may have an x, too */
        char *x = strchr(part, 'x');
        if (x)
            *x = '\0';
        rc = n == most ? -1 : parse_int(part, k->file ? 0 : 1, INT_MAX, &number, NULL);
        if (rc == 0) {
            dim[n] = named;
            v[n++] = (int)number;
        }
        part = x ? x + 1 : NULL;
    }
    return rc == 0 ? n : -1;
}

/* The numbers of a size, after its structure. Those that the structure says are missing;
 * kernel_complete() fills them. Fixed ones need not be written. */
static int read_dims(const struct kernel *k, const int fixed[SHAPE_DIMS], const char *text,
                     struct shape *s)
{
    int v[SHAPE_DIMS] = {0}, named[SHAPE_DIMS] = {0}, written = 0, not_fixed = 0;
    const int missing = 2 - structure_dims(s->structure);
    for (int i = missing; i < k->dims; i++) {
        written++;
        not_fixed += !fixed[i];
    }
    const int n = read_numbers(k, text, written, v, named);
    if (n != 1 && n != written && n != not_fixed)
        return -1;
    for (int i = 0, next = 0; i < k->dims; i++) {
        const bool given = n == written || !fixed[i];
        const int from = n == 1 || i < missing ? 0 : next;
        if (given && i >= missing && named[from] >= 0 && named[from] != i)
            return -1;
        s->dim[i] = given ? v[from] : fixed[i];
        if (k->file) /* then it may be 0 */
            shape_set(s, i, s->dim[i]);
        next += given && i >= missing;
    }
    return 0;
}

/* What a size says about its structure, before the colon. */
static int read_structure(const char *text, size_t n, struct matrix_files *files,
                          struct structure *s, struct err *e)
{
    if (structure_parse(text, n, s, e) != 0)
        return -1;
    if (s->family != STRUCTURE_FILE)
        return 0;
    if (!files)
        return err_input(e, "'%s': there are no matrices from files here", s->file);
    s->matrix = matrix_files_get(files, s->file, e);
    return s->matrix ? 0 : -1;
}

/* A size that is 0. */
static int check_empty(const struct kernel *k, struct shape s, struct err *e)
{
    for (int i = 0; k->file && i < k->dims; i++)
        if (s.dim[i] == 0 && !k->may_be_empty[i])
            return err_input(e,
                             "%s = 0: the exercise has no empty problems, as long as none of "
                             "its `edges` has 0 for %s",
                             k->dim_name[i], k->dim_name[i]);
    return 0;
}

int kernel_shape(const struct kernel *k, const char *text, struct matrix_files *files,
                 struct shape *s, struct err *e)
{
    static const int none[SHAPE_DIMS];
    return kernel_shape_fixed(k, none, text, files, s, e);
}

int kernel_shape_fixed(const struct kernel *k, const int fixed[SHAPE_DIMS], const char *text,
                       struct matrix_files *files, struct shape *s, struct err *e)
{
    const char *colon = is_sparse(k) ? strchr(text, ':') : NULL;
    *s = (struct shape){0};
    if (is_sparse(k) && !colon)
        return no_shape(k, text, e);
    if (colon && read_structure(text, (size_t)(colon - text), files, &s->structure, e) != 0)
        return -1;
    if (read_dims(k, fixed, colon ? colon + 1 : text, s) != 0)
        return no_shape(k, text, e);
    return check_empty(k, *s, e) == 0 && kernel_complete(k, s, e) == 0 ? kernel_takes(k, *s, e)
                                                                       : -1;
}

/* --- what is said of a shape ------------------------------------------------------------------ */

static void set_key(char key[FIELD_KEY], const char *name)
{
    size_t n = 0;
    for (; name[n] && n + 1 < FIELD_KEY; n++)
        key[n] = (char)tolower((unsigned char)name[n]);
    key[n] = '\0';
}

/* What stands beside dimensions in tables and JSON, as far as a dimension can have such a name. */
static const char other_keys[] =
    " all case ci_high_seconds ci_low_seconds confirmed device_seconds error_max error_rms"
    " expected first_col first_row gops got gpus kernel kind message nodes operations"
    " oversubscribed ranks reps runs sample samples seconds seed shapes size start stress"
    " submission threads tier typical values verdict wrong_elements ";

static void set_dimension_key(char key[FIELD_KEY], const char *name)
{
    char word[FIELD_KEY + 2];
    set_key(key, name);
    snprintf(word, sizeof word, " %s ", key);
    if (!strstr(other_keys, word))
        return;
    snprintf(word, FIELD_KEY, "dim_%.*s", FIELD_KEY - (int)sizeof "dim_", name);
    set_key(key, word);
}

int kernel_fields(const struct kernel *k)
{
    return k->dims + is_sparse(k) + k->derived + k->facts;
}

void kernel_field_key(const struct kernel *k, int i, char key[FIELD_KEY])
{
    if (i < k->dims) {
        set_dimension_key(key, k->dim_name[i]);
        return;
    }
    i -= k->dims;
    if (is_sparse(k) && i-- == 0)
        set_key(key, "structure");
    else
        set_key(key, i < k->derived ? k->derived_name[i] : k->fact_name[i - k->derived]);
}

struct shape_field kernel_field(const struct kernel *k, struct shape s, int i)
{
    struct shape_field f = {.kind = FIELD_INTEGER};
    if (i < k->dims) {
        f.integer = s.dim[i];
        return f;
    }
    i -= k->dims;
    if (is_sparse(k) && i-- == 0) {
        f.kind = FIELD_TEXT;
        structure_format(s.structure, f.text);
    } else if (i < k->derived) {
        f.integer = s.derived[i];
    } else {
        f.kind = FIELD_REAL;
        f.real = s.fact[i - k->derived];
    }
    return f;
}

void kernel_element_name(const struct kernel *k, struct shape s, int row, int col,
                         char out[ELEMENT_NAME])
{
    const struct extents *x = k->out.size;
    size_t at[EXTENTS_MOST], rest = (size_t)row;
    int used = snprintf(out, ELEMENT_NAME, "%.*s", ELEMENT_NAME / 3, k->out.name);
    if (!x) {
        snprintf(out + used, ELEMENT_NAME - (size_t)used, "[%d][%d]", row, col);
        return;
    }
    for (int i = x->count > 1 ? x->count - 2 : x->count - 1; i >= 0; i--) {
        const size_t n = extents_one(x, i, s.dim);
        at[i] = n ? rest % n : 0;
        rest = n ? rest / n : 0;
    }
    if (x->count > 1)
        at[x->count - 1] = (size_t)col;
    for (int i = 0; i < x->count; i++)
        used += snprintf(out + used, ELEMENT_NAME - (size_t)used, "[%zu]", at[i]);
}

int kernel_arguments(const struct kernel *k, struct shape s, int out[SHAPE_DIMS])
{
    int n = 0;
    for (; n < k->dims; n++)
        out[n] = s.dim[n];
    if (k->derived_argument)
        out[n++] = shape_extent(s, k->derived_argument);
    return n;
}

const char *kernel_argument_name(const struct kernel *k, int i)
{
    return i < k->dims ? k->dim_name[i] : k->derived_name[k->derived_argument - EXTENT_DERIVED];
}

double kernel_operations(const struct kernel *k, struct shape s)
{
    return k->operations ? k->operations(k, s) : (double)NAN;
}

double kernel_work(const struct kernel *k, struct shape s)
{
    return k->operations ? k->operations(k, s) : kernel_bytes(k, s);
}

double kernel_bytes(const struct kernel *k, struct shape s)
{
    double sum = 0;
    for (int i = 0; i < kernel_outputs(k); i++)
        sum += (double)operand_bytes(kernel_output(k, i), s);
    for (int i = 0; i < k->inputs; i++)
        sum += (double)operand_bytes(&k->in[i], s);
    return sum;
}

double kernel_least_bytes(const struct kernel *k, struct shape s)
{
    return k->least_bytes ? k->least_bytes(s) : kernel_bytes(k, s);
}

/* --- results ---------------------------------------------------------------------------------- */

/* One pattern is for all outputs: a floating-point one, if there is one. */
static enum element_type poisoned_type(const struct kernel *k)
{
    for (int i = 0; i < kernel_outputs(k); i++)
        if (type_is_rounded(kernel_output(k, i)->type))
            return type_of_part(kernel_output(k, i)->type);
    return k->out.type;
}

uint64_t kernel_poison_of(const struct kernel *k, enum poison kind, uint64_t random)
{
    const uint64_t fraction = random | UINT64_C(0x0001010101010101);
    /* 2^1 .. 2^8, either sign */
    const uint64_t number = ((uint32_t)fraction & 0x83ffffff) | 0x40000000;
    /* Signalling: what adds to it gets a quiet one, which has other bits. */
    const uint64_t nan = ((uint32_t)(fraction >> 32) & 0xffbfffff) | 0x7f800000;
    switch (poisoned_type(k)) {
    case TYPE_F32:
        return (kind == POISON_NUMBERS ? number : nan) << 32 | (kind == POISON_NANS ? nan : number);
    case TYPE_F64:
        return kind == POISON_NANS || (kind == POISON_MIXED && random & 2)
                   ? (fraction & UINT64_C(0xfff7ffffffffffff)) | UINT64_C(0x7ff0000000000000)
                   : (fraction & UINT64_C(0x807fffffffffffff)) | UINT64_C(0x4000000000000000);
    default:
        return random;
    }
}

uint64_t kernel_poison_pattern(const struct kernel *k, uint64_t random)
{
    return kernel_poison_of(k, POISON_MIXED, random);
}

void kernel_poison(void *dst, size_t bytes, uint64_t pattern)
{
    unsigned char *p = dst;
    size_t words = bytes / sizeof pattern;
    for (size_t i = 0; i < words; i++)
        memcpy(p + i * sizeof pattern, &pattern, sizeof pattern);
    memcpy(p + words * sizeof pattern, &pattern, bytes % sizeof pattern);
}
