#include "proctor/unit_separation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/separation.h"
#include "proctor/unit_launches.h"
#include "proctor/unit_record.h"

/* Of all that is tried together. */
#define CHANCE_MOST 0.01

/* So many results that are one number each may have a factor by chance. */
enum { FACTORS_LEAST = 3 };

struct look {
    const struct unit_job *job;
    const struct unit_result *r;
    const struct case_result *first; /* that fails */
};

/* A case that was tried. */
struct tried {
    const struct test_case *test_case;
    struct launch launch;
    bool failed;
    uint64_t run; /* number of the values, or RUN_UNKNOWN */
};

/* Case i of the result; the last one is the smallest that fails. False: nothing is known of it. */
static bool tried_case(const struct look *l, unsigned i, struct test_case *smallest,
                       struct tried *t)
{
    const struct smallest_result *found = &l->r->smallest;
    const struct case_list *all = &l->job->node->run.cases;
    if (i == l->r->cases_count) {
        *smallest = (struct test_case){.shape = found->shape, .seed = found->seed};
        *t = (struct tried){smallest, found->launch, true, RUN_UNKNOWN};
        return found->present &&
               kernel_values_find(l->job->tier->kernel, found->values, &smallest->values);
    }
    const struct case_result *c = &l->r->cases[i];
    if (c->case_index >= (int)all->count || all->item[c->case_index].kind == CASE_PERFORMANCE)
        return false;
    const bool failed = c->verdict != VERDICT_PASS;
    *t = (struct tried){&all->item[c->case_index], c->launch, failed,
                        failed ? c->failed_run : unit_launches_task_of(l->job, c).first_run};
    return true;
}

/* Values that show no mistake say nothing of sizes. */
static bool shows_mistakes(const struct look *l, enum value_dist values)
{
    for (unsigned i = 0; i < l->r->cases_count; i++) {
        struct test_case ignored;
        struct tried t;
        if (tried_case(l, i, &ignored, &t) && t.failed && t.test_case->values == values)
            return true;
    }
    return false;
}

/* --- numbers ---------------------------------------------------------------------------------- */

enum what {
    DIMENSION,
    VALUE,   /* that the function gets */
    REST,    /* of a dimension, divided by the workers: 1 if there is one */
    WORKERS, /* threads or ranks */
};

static long long number_of(const struct look *l, const struct tried *t, enum what what, int i)
{
    const int workers = launch_workers(t->launch);
    if (what == WORKERS)
        return workers;
    if (what == VALUE)
        return case_run_number(l->job->tier->kernel, t->test_case, t->run, i);
    return what == REST ? t->test_case->shape.dim[i] % workers != 0 : t->test_case->shape.dim[i];
}

static bool fails_under(const struct look *l, struct launch launch)
{
    for (unsigned i = 0; i < l->r->cases_count; i++)
        if (l->r->cases[i].verdict != VERDICT_PASS && launch_equal(l->r->cases[i].launch, launch))
            return true;
    return false;
}

/* Does it matter under this launch? Each launch has its own values. Sizes may matter in another way
 * with other workers. */
static bool counts(const struct look *l, const struct tried *t, enum what what)
{
    switch (what) {
    case WORKERS:
        return true;
    case REST:
        return t->failed || launch_workers(t->launch) > 1;
    case VALUE:
        return t->run != RUN_UNKNOWN && fails_under(l, t->launch);
    default:
        return t->failed || launch_equal(t->launch, l->first->launch);
    }
}

static struct separation separate(const struct look *l, enum what what, int which)
{
    struct tried_number *tried = xcalloc(l->r->cases_count + 1, sizeof *tried);
    size_t n = 0;
    for (unsigned i = 0; i <= l->r->cases_count; i++) {
        struct test_case smallest;
        struct tried t;
        if (tried_case(l, i, &smallest, &t) && counts(l, &t, what) &&
            shows_mistakes(l, t.test_case->values))
            tried[n++] = (struct tried_number){number_of(l, &t, what, which), t.failed};
    }
    const struct separation s = separation_find(tried, n);
    free(tried);
    return s;
}

/* The least likely one of all dimensions or values, with its name. The smallest case that fails
 * shows that a size is not 1. In 0 steps, nothing has to be done. */
static struct separation least_likely(const struct look *l, enum what what, const char **name)
{
    const struct kernel *k = l->job->tier->kernel;
    struct separation best = {.chance = 1};
    int tried = 0;
    for (int i = 0; i < (what == VALUE ? k->inputs : k->dims); i++) {
        if (what == VALUE && !(k->in[i].by_value && type_is_integer(k->in[i].type)))
            continue;
        const struct separation s = separate(l, what, i);
        const bool plain = s.kind == SEPARATION_LEAST &&
                           ((what == DIMENSION && s.bound <= 2) || (what == VALUE && s.bound == 1));
        tried++;
        if (s.kind == SEPARATION_NONE || plain || s.chance >= best.chance)
            continue;
        best = s;
        *name = what == VALUE ? k->in[i].name : k->dim_name[i];
    }
    best.chance *= tried > 1 ? tried : 1;
    return best;
}

/* The elements tell of the rows of one worker, and of what lies between workers. */
static bool names_worker(const char *message)
{
    return strstr(message, "rank ") || strstr(message, "thread ");
}

static void remark_number(const struct look *l, struct unit_result *r)
{
    const char *workers = launch_kind_has(l->job->tier->kind, KIND_RANKS) ? "the number of ranks"
                                                                          : "the number of threads";
    const char *name = workers;
    char *text = NULL;
    struct separation s = least_likely(l, REST, &name);
    if (s.kind == SEPARATION_LEAST && s.chance <= CHANCE_MOST) {
        unit_result_remark(r,
                           "in every case that fails (%zu), %s is not a multiple of %s; where it "
                           "is, all pass (%zu)",
                           s.failed, name, workers, s.passed);
        return;
    }
    s = least_likely(l, VALUE, &name);
    if (s.chance > CHANCE_MOST)
        s = least_likely(l, DIMENSION, &name);
    if (s.chance > CHANCE_MOST && l->first->verdict == VERDICT_WRONG_ANSWER &&
        !names_worker(l->first->message)) {
        s = separate(l, WORKERS, 0);
        name = workers;
        if (s.kind != SEPARATION_LEAST)
            return;
    }
    if (s.chance > CHANCE_MOST)
        return;
    text = separation_text(&s, name);
    unit_result_remark(r, "%s", text);
    free(text);
}

/* --- results that are one number -------------------------------------------------------------- */

/* The results of the cases that fail under the first launch: the factor of all of them, or NAN. */
static double common_factor(const struct look *l)
{
    double factor = (double)NAN, before = 0;
    int found = 0, different = 0;
    for (unsigned i = 0; i < l->r->cases_count; i++) {
        const struct case_result *c = &l->r->cases[i];
        if (c->verdict != VERDICT_WRONG_ANSWER || !launch_equal(c->launch, l->first->launch))
            continue;
        const double right = strtod(c->mismatch.expected, NULL),
                     got = strtod(c->mismatch.got, NULL);
        if (c->mismatch.total != 1 || right == 0 || !isfinite(got))
            return (double)NAN;
        if (found++ && !(fabs(got - factor * right) <= 1e-6 * fabs(right)))
            return (double)NAN;
        factor = got / right;
        different += right != before;
        before = right;
    }
    return different < FACTORS_LEAST ? (double)NAN : factor;
}

/* That it is 0 is seen. */
static void remark_factor(const struct look *l, struct unit_result *r)
{
    const double factor = common_factor(l);
    char workers[RECORD_WORKERS];
    unit_record_workers(l->job->tier, l->first->launch, workers);
    if (!isnan(factor) && factor != 0 && fabs(factor - 1) >= 1e-3)
        unit_result_remark(
            r, "in every case that fails%s%s, the result is %.6g times what it should be",
            *workers ? " with " : "", *workers ? workers + 2 : "", factor);
}

void unit_separation_remark(const struct unit_job *job, struct unit_result *r)
{
    const struct look l = {job, r, unit_result_first_failure(r)};
    if (!l.first || l.first->verdict == VERDICT_TIMEOUT ||
        l.first->verdict == VERDICT_INFRA_ERROR || l.first->cause != CAUSE_NONE)
        return;
    remark_factor(&l, r);
    if (!strstr(l.first->message, "not a multiple of") && !strstr(r->remarks, "not a multiple of"))
        remark_number(&l, r);
}
