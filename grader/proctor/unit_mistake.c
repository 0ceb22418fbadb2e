/*
 * The source of a mistake takes the place of the trusted source, or it computes less. If the unit
 * is right then, in cases in which it was wrong, its results are those of the mistake.
 */
#include "proctor/unit_mistake.h"

#include <string.h>

#include "base/clock.h"
#include "proctor/node_answers.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_right.h"

/* Of all mistakes together. */
#define ALL_NS UINT64_C(5000000000)

static bool is_this(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    int mistake)
{
    struct mistaken_answers m;
    struct err ignored = ERR_INIT;
    const bool found = node_answers_mistake(job->node, job->harness, mistake, &m, &ignored) == 0 &&
                       unit_right_now(job, s, r, NULL);
    node_answers_trust_again(job->harness, &m);
    return found;
}

/* --- what is left out ------------------------------------------------------------------------- */

/* Of less, nothing or next to nothing is left, and results are the same by chance. */
enum { SIZE_LEAST = 4 };

static bool is_large_enough(const struct unit_job *job, const struct unit_result *r, int dim)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->verdict != VERDICT_PASS && c->case_index >= 0 &&
            job->node->run.cases.item[c->case_index].shape.dim[dim] >= SIZE_LEAST)
            return true;
    }
    return false;
}

/* Under the launch of the first failure: is a case there that fails (or passes), and that leaves no
 * rest in equal parts? */
static bool has_multiple(const struct unit_job *job, const struct unit_result *r, int dim,
                         int parts, bool failed)
{
    const struct launch launch = unit_result_first_failure(r)->launch;
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->case_index >= 0 && launch_equal(c->launch, launch) &&
            (c->verdict != VERDICT_PASS) == failed &&
            job->node->run.cases.item[c->case_index].shape.dim[dim] % parts == 0)
            return true;
    }
    return false;
}

static bool is_less(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    struct answers_less less)
{
    job->harness->answers.less = less;
    const bool found = unit_right_now(job, s, r, NULL);
    job->harness->answers.less = (struct answers_less){0};
    return found;
}

static bool is_told(const struct unit_result *r)
{
    return strstr(r->remarks, "left out") || strstr(r->remarks, "not a multiple of") ||
           strstr(unit_result_first_failure(r)->message, "not a multiple of");
}

/* A rest of one may be the last one, too: only a case without a rest tells. */
static bool find_less(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      int dim)
{
    const struct launch launch = unit_result_first_failure(r)->launch;
    const int workers = launch_workers(launch);
    const char *name = job->tier->kernel->dim_name[dim];
    if (!is_large_enough(job, r, dim))
        return false;
    if (workers > 1 && !has_multiple(job, r, dim, workers, true) &&
        is_less(job, s, r, (struct answers_less){workers, dim})) {
        if (has_multiple(job, r, dim, workers, false))
            unit_result_remark(r,
                               "the results are those of %s without the rest that %d %s leave of "
                               "it: what becomes of that rest?",
                               name, workers, launch.ranks > 1 ? "ranks" : "threads");
        return true;
    }
    if (!is_less(job, s, r, (struct answers_less){1, dim}))
        return false;
    unit_result_remark(
        r, "the results are those of %s - 1 in place of %s: is the last one left out%s?", name,
        name,
        workers == 1       ? ""
        : launch.ranks > 1 ? ", for example by the last rank"
                           : ", for example by the last thread");
    return true;
}

void unit_mistake_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct kernel_file *f = job->tier->kernel->file;
    const uint64_t start = clock_mono_ns();
    /* A check decides by itself, and asks nobody what is right. */
    if (!f || f->check || r->verdict != VERDICT_WRONG_ANSWER ||
        !unit_cause_is_sought(job, unit_result_first_failure(r)) || !unit_right_can_tell(r))
        return;
    s->spec.cpus = job->harness->cores.id;
    s->spec.cpu_count = job->harness->cores.count;
    for (int i = 0; i < f->mistakes; i++) {
        if (clock_mono_ns() - start > ALL_NS || clock_mono_ns() > s->deadline)
            return;
        if (is_this(job, s, r, i)) {
            unit_result_remark(r, "a mistake that gives the same wrong results: %s",
                               f->mistake[i].says);
            return;
        }
    }
    for (int d = 0; d < job->tier->kernel->dims && !is_told(r); d++)
        if (clock_mono_ns() - start > ALL_NS || clock_mono_ns() > s->deadline ||
            find_less(job, s, r, d))
            return;
}
