#include "proctor/sweep_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/harness_check.h"
#include "measure/measurement.h"
#include "proctor/fault.h"
#include "proctor/unit_record.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"

/* At each size, so many budgets of all contenders may be spent on waiting for an undisturbed node.
 */
enum { WAIT_BUDGETS = 2 };

static bool is_size(const struct sweep *s, const struct test_case *c)
{
    return c->kind == CASE_PERFORMANCE &&
           case_applies(s->job->node->run.assignment, s->job->tier, c);
}

static struct case_result *add_case(struct sweep *s, const struct contender *x,
                                    const struct test_case *c)
{
    const struct case_key key = {c->index, x->point, x->launch_index, x->launch};
    return unit_record_case(s->result, &key, s->harness->cores.count);
}

void sweep_record_failure(struct sweep *s, const struct contender *x, enum verdict v,
                          const char *message)
{
    const struct case_list *cases = &s->job->node->run.cases;
    for (size_t i = 0; i < cases->count; i++) {
        if (!is_size(s, &cases->item[i]))
            continue;
        struct case_result *cr = add_case(s, x, &cases->item[i]);
        cr->verdict = v;
        snprintf(cr->message, sizeof cr->message, "%s", message);
    }
}

/* A driver is lost. 0: the combination's code is the reason, and *f says so; -1: infrastructure
 * trouble. */
static int lost(struct sweep *s, struct contender *x, const struct outcome *o, struct finding *f,
                struct err *e)
{
    const struct lost_driver gone = {.driver = &x->driver, .outcome = o, .alone = false};
    char message[sizeof f->message];
    enum verdict v = fault_attribute(s->harness, &gone, s->end, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    x->out = true;
    f->verdict = v;
    memcpy(f->message, message, sizeof message);
    return 0;
}

static int make_homes(const struct sweep *s, struct contender *x, struct err *e)
{
    const char *shm = s->job->node->scratch.shm;
    x->scratch = xasprintf("%s/home-%d-%d", s->job->dir, x->point, x->launch_index);
    if (shm)
        x->shm = xasprintf("%s/sweep-%d-%d", shm, x->point, x->launch_index);
    return fs_mkdirs(x->scratch, e) == 0 && (!x->shm || fs_mkdirs(x->shm, e) == 0) ? 0 : -1;
}

static int start(struct sweep *s, struct contender *x, struct err *e)
{
    const struct node_context *n = s->job->node;
    const struct tier *t = s->job->tier;
    struct outcome o;
    cores_quietest(&s->harness->cores, x->launch.ranks * x->launch.threads, &x->cores);
    if (make_homes(s, x, e) != 0)
        return -1;
    x->spec = (struct driver_spec){.kind = t->kind,
                                   .launch = x->launch,
                                   .memory = t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                        : PG_MEMORY_DEVICE,
                                   .program = s->job->program,
                                   .launcher = t->launcher,
                                   .library = x->library,
                                   .function = s->harness->kernel->function,
                                   .scratch = x->scratch,
                                   .shm = x->shm,
                                   .cpus = x->cores.id,
                                   .cpu_count = x->cores.count,
                                   .limits = &n->run.assignment->limits,
                                   .sandbox = &n->sandbox};
    driver_start(&x->driver, &x->spec, s->deadline, &o);
    s->ran &= x->driver.protections;
    if (o.kind == OUTCOME_OK)
        return 0;
    struct finding f = FINDING_INIT;
    if (lost(s, x, &o, &f, e) != 0)
        return -1;
    sweep_record_failure(s, x, f.verdict, f.message);
    return 0;
}

/* All correctness cases, until one fails. */
static int check(struct sweep *s, struct contender *x, struct err *e)
{
    const struct case_list *cases = &s->job->node->run.cases;
    for (size_t i = 0; i < cases->count && !x->out; i++) {
        const struct test_case *c = &cases->item[i];
        const struct check_task task = {&x->driver, c, (uint64_t)x->point, 1};
        struct finding f = FINDING_INIT;
        struct outcome o;
        if (c->kind == CASE_PERFORMANCE)
            continue;
        if (harness_check(s->harness, &task, &f, &o) != 0) {
            if (lost(s, x, &o, &f, e) != 0)
                return -1;
            sweep_record_failure(s, x, f.verdict, f.message);
        } else if (f.verdict != VERDICT_PASS) {
            char shape[SHAPE_TEXT];
            shape_format(c->shape, shape);
            char *text = xasprintf("case %d (%s): %s", c->index, shape, f.message);
            sweep_record_failure(s, x, f.verdict, text);
            free(text);
            x->out = true;
        }
    }
    return 0;
}

/* One size, with all contenders that are not out. */
struct size_round {
    const struct test_case *test_case;         /* input */
    bool tried[SWEEP_GROUP_MOST];              /* by contender */
    struct finding finding[SWEEP_GROUP_MOST];  /* by contender */
    struct timed_unit timed[SWEEP_GROUP_MOST]; /* those that passed the check */
    size_t who[SWEEP_GROUP_MOST];              /* the contender of each of these */
    size_t count;
    double hint; /* seconds of one call of the fastest */
};

/* Check the size with each contender: who can be timed? */
static int check_size(struct sweep *s, struct contender *group, size_t n, struct size_round *r,
                      struct err *e)
{
    const int cores = s->harness->cores.count;
    for (size_t i = 0; i < n; i++) {
        struct contender *x = &group[i];
        struct finding *f = &r->finding[i];
        const struct check_task task = {&x->driver, r->test_case, (uint64_t)x->point, 2};
        struct outcome o;
        if (x->out)
            continue;
        r->tried[i] = true;
        *f = FINDING_INIT;
        if (harness_check(s->harness, &task, f, &o) != 0) {
            if (lost(s, x, &o, f, e) != 0)
                return -1;
            continue;
        }
        if (f->verdict != VERDICT_PASS || launch_oversubscribed(x->launch, cores) ||
            driver_fell_back(&x->driver))
            continue;
        r->hint = r->count == 0 || f->seconds < r->hint ? f->seconds : r->hint;
        r->timed[r->count] = (struct timed_unit){.driver = &x->driver, .finding = f};
        r->who[r->count++] = i;
    }
    return 0;
}

static int time_size(struct sweep *s, struct contender *group, struct size_round *r, struct err *e)
{
    const struct assignment *a = s->job->node->run.assignment;
    const struct measurement_task task = {.test_case = r->test_case,
                                          .performance = &a->performance,
                                          .hint = r->hint,
                                          .limit_ms = a->limits.case_ms};
    int64_t wait_budget_ms = WAIT_BUDGETS * (int64_t)r->count * a->performance.budget_ms;
    struct outcome o;
    if (!r->count)
        return 0;
    if (measurement_take_in_turns(s->harness, &task, r->timed, r->count, &wait_budget_ms, &o) != 0)
        return err_system(e, "%s", o.text);
    for (size_t i = 0; i < r->count; i++) {
        struct timed_unit *u = &r->timed[i];
        if (u->outcome.kind == OUTCOME_OK)
            continue;
        u->measurement.samples_count = 0; /* they are not kept */
        if (lost(s, &group[r->who[i]], &u->outcome, u->finding, e) != 0)
            return -1;
    }
    return 0;
}

static void record_size(struct sweep *s, const struct contender *group, size_t n,
                        struct size_round *r)
{
    for (size_t i = 0, timed = 0; i < n; i++) {
        if (!r->tried[i])
            continue;
        struct case_result *cr = add_case(s, &group[i], r->test_case);
        finding_store(&r->finding[i], cr);
        if (timed < r->count && r->who[timed] == i)
            measurement_store(&r->timed[timed++].measurement, cr);
    }
}

static int run_size(struct sweep *s, struct contender *group, size_t n, const struct test_case *c,
                    struct err *e)
{
    struct size_round r = {.test_case = c};
    int rc = check_size(s, group, n, &r, e);
    if (rc == 0)
        rc = time_size(s, group, &r, e);
    record_size(s, group, n, &r);
    return rc;
}

static void end(struct sweep *s, struct contender *x)
{
    if (!s->result->device[0] && x->driver.device[0])
        unit_record_text(&s->result->device, xstrdup(x->driver.device));
    if (driver_alive(&x->driver))
        driver_end(&x->driver);
    if (x->scratch)
        fs_remove_tree(x->scratch, NULL);
    if (x->shm)
        fs_remove_tree(x->shm, NULL);
    free(x->scratch);
    free(x->shm);
}

int sweep_group_run(struct sweep *s, struct contender *group, size_t n, struct err *e)
{
    struct node_context *node = s->job->node;
    int rc = 0;
    for (size_t i = 0; i < n; i++)
        group[i].driver = (struct driver_process)DRIVER_PROCESS_INIT;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = start(s, &group[i], e);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (!group[i].out)
            rc = check(s, &group[i], e);
    timing_lock_exclusive(&node->timing_lock);
    driver_pin(&s->harness->yardstick, group[0].cores.id, 1);
    for (size_t i = 0; i < node->run.cases.count && rc == 0; i++)
        if (is_size(s, &node->run.cases.item[i]))
            rc = run_size(s, group, n, &node->run.cases.item[i], e);
    timing_lock_share(&node->timing_lock);
    for (size_t i = 0; i < n; i++)
        end(s, &group[i]);
    return rc;
}
