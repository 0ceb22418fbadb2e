#include "plan/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/assignment_running.h"
#include "model/unit_sources.h"
#include "plan/source_choice.h"
#include "rundir/paths.h"

/* --- contents --------------------------------------------------------------------------------- */

static void add_file(struct strbuf *sb, const char *name, const char *path)
{
    char hash[DIGEST_HEX];
    strbuf_addf(sb, "%s %s\n", digest_file(path, hash, NULL) == 0 ? hash : "-", name);
}

static void add_files(struct strbuf *sb, const char *dir, char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        add_file(sb, names[i], path);
    }
}

static void add_own(struct strbuf *sb, const struct inputs *in, const char *submission,
                    const struct tier *t, const char *source)
{
    OWNED char *dir = rundir_sources(in->dir, submission);
    struct unit_sources s;
    if (source && unit_sources_find(dir, t, source, &s, NULL) == 0) {
        add_files(sb, dir, s.compiled);
        strbuf_adds(sb, "\n");
        add_files(sb, dir, s.headers);
        unit_sources_free(&s);
    }
}

void inputs_digest_own(const struct inputs *in, const char *submission, const struct tier *t,
                       const char *source, char out[HASH_HEX])
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    add_own(&sb, in, submission, t, source);
    hash_bytes(sb.s, sb.len, out);
}

void inputs_digest(const struct inputs *in, const char *submission, const struct tier *t,
                   const char *source, char out[HASH_HEX])
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    add_own(&sb, in, submission, t, source);
    if (tier_adapts(t, strcmp(submission, in->reference) == 0)) {
        OWNED char *adapter = rundir_adapter(in->dir, t);
        add_file(&sb, t->adapter_suffix, adapter);
    }
    hash_bytes(sb.s, sb.len, out);
}

/* --- what all units depend on ----------------------------------------------------------------- */

static bool same_cases(const struct case_list *a, const struct case_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct test_case *x = &a->item[i], *y = &b->item[i];
        char first[SHAPE_TEXT], second[SHAPE_TEXT];
        shape_format(x->shape, first); /* a shape may point to the matrices of its assignment */
        shape_format(y->shape, second);
        if (x->kind != y->kind || x->seed != y->seed || x->values != y->values ||
            !shape_rule_equal(x->rule, y->rule) || strcmp(first, second) != 0)
            return false;
    }
    return true;
}

/* Frees both paths. */
static bool same_file(char *a, char *b)
{
    const bool same = digest_same_files(a, b);
    free(b);
    free(a);
    return same;
}

/* The cases name the same files. */
static char *other_matrix(const struct inputs *was, const struct inputs *is)
{
    const struct matrix_files *m = is->assignment->matrices;
    for (unsigned i = 0; i < m->count; i++) {
        if (!same_file(rundir_matrix(was->dir, m->matrix[i]), rundir_matrix(is->dir, m->matrix[i])))
            return xasprintf("matrix: %s", m->matrix[i]->structure.file);
    }
    return NULL;
}

/* The kernel file, or its trusted source. */
static char *other_kernel(const struct inputs *was, const struct inputs *is)
{
    const struct kernel_file *f = is->assignment->kernel_file;
    const char *names[KERNEL_FILE_PARTS] = {NULL};
    if (f)
        kernel_file_parts(f, names);
    for (int i = 0; names[i]; i++) {
        if (!same_file(rundir_kernel_file(was->dir, names[i]),
                       rundir_kernel_file(is->dir, names[i])))
            return xasprintf("kernel: %s", names[i]);
    }
    return NULL;
}

/* What a tier of the reference is built from. -1: nobody can look now. */
static int reference_digest(const struct inputs *in, const struct tier *t, char out[HASH_HEX])
{
    OWNED char *dir = rundir_sources(in->dir, in->reference);
    struct choice c;
    const int rc = choose_source(dir, in->assignment, t, true, &c, NULL);
    if (rc == 0)
        inputs_digest(in, in->reference, t, c.source, out);
    free(c.message);
    return rc;
}

/* Baseline or yardstick. */
static char *other_reference(const struct inputs *was, const struct inputs *is, const char *tier)
{
    const int a = assignment_tier(was->assignment, tier), b = assignment_tier(is->assignment, tier);
    char x[HASH_HEX], y[HASH_HEX];
    char *field = assignment_running_tier_differs(was->running, is->running, tier);
    if (a < 0 || b < 0 || field) {
        char *why = xasprintf("assignment: %s", field ? field : tier);
        free(field);
        return why;
    }
    const bool same = reference_digest(was, &was->assignment->tiers[a], x) == 0 &&
                      reference_digest(is, &is->assignment->tiers[b], y) == 0 && strcmp(x, y) == 0;
    return same ? NULL : xasprintf("reference: %s", tier);
}

char *inputs_differ_for_all(const struct inputs *was, const struct inputs *is)
{
    OWNED char *field = assignment_running_differs(was->running, is->running);
    char *why = field ? xasprintf("assignment: %s", field) : NULL;
    if (!why && !same_cases(was->cases, is->cases))
        why = xstrdup("assignment: the test cases");
    if (!why)
        why = other_matrix(was, is);
    if (!why)
        why = other_kernel(was, is);
    if (!why)
        why = other_reference(was, is, is->assignment->baseline);
    for (unsigned t = 0; !why && t < is->assignment->tiers_count; t++)
        why = other_reference(was, is, tier_yardstick(is->assignment, &is->assignment->tiers[t]));
    return why;
}
