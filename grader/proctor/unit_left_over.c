#include "proctor/unit_left_over.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/left_over.h"

/* Every size that was tried under the launch, by what `size` takes of its shape. The caller frees
 * it. */
static struct tried_size *tried_under(const struct unit_job *job, const struct unit_result *r,
                                      struct launch launch,
                                      int (*size)(const struct kernel *k, struct shape s, int what),
                                      int what, size_t *n)
{
    const struct case_list *all = &job->node->run.cases;
    struct tried_size *tried = xcalloc(r->cases_count + 1, sizeof *tried);
    *n = 0;
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->case_index < (int)all->count && launch_equal(c->launch, launch))
            tried[(*n)++] =
                (struct tried_size){size(job->tier->kernel, all->item[c->case_index].shape, what),
                                    c->verdict != VERDICT_PASS};
    }
    return tried;
}

static int lines(const struct kernel *k, struct shape s, int rows)
{
    return (int)(rows ? operand_rows(&k->out, s) : operand_cols(&k->out, s));
}

static int dimension(const struct kernel *k, struct shape s, int d)
{
    (void)k;
    return s.dim[d];
}

static int width_of_all(const struct unit_job *job, const struct unit_result *r,
                        struct launch launch, const struct mismatch *m)
{
    size_t n;
    OWNED struct tried_size *tried = tried_under(job, r, launch, lines, m->rest_rows, &n);
    return left_over_width(tried, n, m->rest_width);
}

/* "only the last row (2): M = 3 is not a multiple of 4": another width, or, where it is 0, nothing
 * after the colon but another reason that is given there. The caller frees it. */
static char *rewritten(const char *pattern, const char *said, size_t length, int width)
{
    static const char other[] = ", or ";
    const char *after = said + length, *colon = said;
    if (strncmp(after, PATTERN_OF_RANKS, strlen(PATTERN_OF_RANKS)) == 0)
        after += strlen(PATTERN_OF_RANKS);
    else if (strncmp(after, PATTERN_OF_THREADS, strlen(PATTERN_OF_THREADS)) == 0)
        after += strlen(PATTERN_OF_THREADS);
    const bool has_other = strncmp(after, other, sizeof other - 1) == 0;
    if (width)
        return xasprintf("%.*snot a multiple of %d%s", (int)(said - pattern), pattern, width,
                         after);
    while (colon > pattern && *colon != ':')
        colon--;
    return xasprintf("%.*s%s%s", (int)(colon - pattern), pattern, has_other ? ": " : "",
                     has_other ? after + sizeof other - 1 : after);
}

bool unit_left_over_correct(const struct unit_job *job, const struct unit_result *r,
                            struct launch launch, struct mismatch *m)
{
    if (!m->rest_width)
        return false;
    const int width = width_of_all(job, r, launch, m);
    OWNED char *words = xasprintf("not a multiple of %d", m->rest_width);
    const char *said = strstr(m->pattern, words);
    const bool change = said && width != m->rest_width && (!width || m->rest_size % width);
    if (change) {
        OWNED char *text = rewritten(m->pattern, said, strlen(words), width);
        snprintf(m->pattern, sizeof m->pattern, "%s", text);
    }
    return change;
}

/* Enough to exclude chance. */
enum { CASES_LEAST = 4 };

/* How many cases fail, if the last row is all that is left out in each of them; else 0. Where there
 * is one row, it is the last one. *row: what it is called. */
static unsigned last_left_out(const struct unit_job *job, const struct unit_result *r,
                              const char **row)
{
    unsigned found = 0, alone = 0;
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->verdict == VERDICT_PASS)
            continue;
        if (c->verdict != VERDICT_WRONG_ANSWER || c->cause != CAUSE_NONE || !c->mismatch.present ||
            c->case_index < 0)
            return 0;
        if (c->mismatch.last_left_out) {
            found++;
            *row = c->mismatch.last_left_out;
        } else if (operand_rows(&job->tier->kernel->out,
                                job->node->run.cases.item[c->case_index].shape) == 1)
            alone++;
        else
            return 0;
    }
    return found >= CASES_LEAST ? found + alone : 0;
}

static void remark_last(const struct unit_job *job, const struct case_result *first,
                        struct unit_result *r)
{
    const char *row = "";
    const unsigned cases = last_left_out(job, r, &row);
    if (cases)
        unit_result_remark(r,
                           "in every case that fails (%u), only the last %s is left out: does a "
                           "loop%s end one %s too early?",
                           cases, row,
                           launch_workers(first->launch) == 1 ? ""
                           : first->launch.ranks > 1          ? " of the last rank"
                                                              : " of the last thread",
                           row);
}

void unit_left_over_remark(const struct unit_job *job, struct unit_result *r)
{
    const struct kernel *k = job->tier->kernel;
    const struct case_result *first = unit_result_first_failure(r);
    if (!first || first->verdict != VERDICT_WRONG_ANSWER || first->cause != CAUSE_NONE ||
        strstr(first->message, "not a multiple of"))
        return;
    remark_last(job, first, r);
    const int workers = launch_workers(first->launch);
    for (int d = 0, width = 0; d < k->dims && !width; d++) {
        size_t n;
        OWNED struct tried_size *tried = tried_under(job, r, first->launch, dimension, d, &n);
        width = left_over_exact(tried, n, workers);
        if (width)
            unit_result_remark(r,
                               "it fails exactly where %s is not a multiple of %d%s: what becomes "
                               "of the rest?",
                               k->dim_name[d], width,
                               width != workers          ? ""
                               : first->launch.ranks > 1 ? PATTERN_OF_RANKS
                                                         : PATTERN_OF_THREADS);
    }
}
