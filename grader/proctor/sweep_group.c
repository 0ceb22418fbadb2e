#include "proctor/sweep_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/harness_check.h"
#include "measure/measurement.h"
#include "proctor/fault.h"
#include "proctor/unit_record.h"
#include "supervise/cores.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_process.h"
#include "supervise/driver_start.h"

/* At each size, so many budgets of all combinations may be spent on waiting for an undisturbed
 * node. */
enum { WAIT_BUDGETS = 2 };

/* A combination of the group, with its driver. */
struct member {
    const struct combination *combination;
    struct cores cores; /* that its driver runs on */
    char *scratch, *shm;
    struct driver_process driver;
    struct driver_spec spec;
    bool out; /* it failed, and this is recorded */
};

struct group {
    struct member member[SWEEP_GROUP_MOST];
    size_t count;
};

static bool is_size(const struct unit_job *job, const struct test_case *c)
{
    return c->kind == CASE_PERFORMANCE && case_applies(job->node->run.assignment, job->tier, c);
}

static struct case_result *add_case(const struct unit_job *job, const struct combination *x,
                                    const struct test_case *c, struct unit_result *r)
{
    const struct case_key key = {c->index, x->point, x->launch_index, x->launch};
    return unit_record_case(r, &key, job->harness->cores.count);
}

void sweep_record_failure(const struct unit_job *job, const struct combination *x, enum verdict v,
                          const char *message, struct unit_result *r)
{
    const struct case_list *cases = &job->node->run.cases;
    for (size_t i = 0; i < cases->count; i++) {
        if (!is_size(job, &cases->item[i]))
            continue;
        struct case_result *cr = add_case(job, x, &cases->item[i], r);
        cr->verdict = v;
        snprintf(cr->message, sizeof cr->message, "%s", message);
    }
}

/* A driver is lost. 0: the combination's code is the reason, and *f says so; -1: infrastructure
 * trouble. */
static int lost(const struct unit_job *job, struct sweep_state *s, struct member *m,
                const struct outcome *o, struct finding *f, struct err *e)
{
    const struct lost_driver gone = {.driver = &m->driver, .outcome = o, .alone = false};
    char message[sizeof f->message];
    enum verdict v = fault_attribute(job->harness, &gone, s->end, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    m->out = true;
    f->verdict = v;
    memcpy(f->message, message, sizeof message);
    return 0;
}

static int make_homes(const struct unit_job *job, struct member *m, struct err *e)
{
    const struct combination *x = m->combination;
    const char *shm = job->node->scratch.shm;
    m->scratch = xasprintf("%s/home-%d-%d", job->dir, x->point, x->launch_index);
    if (shm)
        m->shm = xasprintf("%s/sweep-%d-%d", shm, x->point, x->launch_index);
    return fs_mkdirs(m->scratch, e) == 0 && (!m->shm || fs_mkdirs(m->shm, e) == 0) ? 0 : -1;
}

static int start(const struct unit_job *job, struct sweep_state *s, struct member *m,
                 struct unit_result *r, struct err *e)
{
    struct node_context *n = job->node;
    const struct tier *t = job->tier;
    const struct launch launch = m->combination->launch;
    struct outcome o;
    cores_quietest(&job->harness->cores, launch.ranks * launch.threads, &m->cores);
    if (make_homes(job, m, e) != 0)
        return -1;
    m->spec = (struct driver_spec){.kind = t->kind,
                                   .launch = launch,
                                   .memory = t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                        : PG_MEMORY_DEVICE,
                                   .program = job->program,
                                   .launcher = t->launcher,
                                   .library = m->combination->library,
                                   .function = job->harness->kernel->function,
                                   .scratch = m->scratch,
                                   .shm = m->shm,
                                   .cpus = m->cores.id,
                                   .cpu_count = m->cores.count,
                                   .limits = &n->run.assignment->limits,
                                   .sandbox = &n->sandbox,
                                   .supervisor = &n->supervisor};
    driver_start(&m->driver, &m->spec, s->deadline, &o);
    s->ran &= m->driver.protections;
    if (o.kind == OUTCOME_OK)
        return 0;
    struct finding f = FINDING_INIT;
    if (lost(job, s, m, &o, &f, e) != 0)
        return -1;
    sweep_record_failure(job, m->combination, f.verdict, f.message, r);
    return 0;
}

/* All correctness cases, until one fails. */
static int check(const struct unit_job *job, struct sweep_state *s, struct member *m,
                 struct unit_result *r, struct err *e)
{
    const struct case_list *cases = &job->node->run.cases;
    for (size_t i = 0; i < cases->count && !m->out; i++) {
        const struct test_case *c = &cases->item[i];
        const struct check_task task = {&m->driver, c, (uint64_t)m->combination->point, 1};
        struct finding f = FINDING_INIT;
        struct outcome o;
        if (c->kind == CASE_PERFORMANCE)
            continue;
        if (harness_check(job->harness, &task, &f, &o) != 0) {
            if (lost(job, s, m, &o, &f, e) != 0)
                return -1;
            sweep_record_failure(job, m->combination, f.verdict, f.message, r);
        } else if (f.verdict != VERDICT_PASS) {
            char shape[SHAPE_TEXT];
            shape_format(c->shape, shape);
            char *text = xasprintf("case %d (%s): %s", c->index, shape, f.message);
            sweep_record_failure(job, m->combination, f.verdict, text, r);
            free(text);
            m->out = true;
        }
    }
    return 0;
}

/* What was found out about one size. */
struct size_round {
    bool tried[SWEEP_GROUP_MOST];              /* by member */
    struct finding finding[SWEEP_GROUP_MOST];  /* by member */
    struct timed_unit timed[SWEEP_GROUP_MOST]; /* those that passed the check */
    size_t who[SWEEP_GROUP_MOST];              /* the member of each of these */
    size_t count;
    double hint; /* seconds of one call of the fastest */
};

/* Check the size with each member that is not out: who can be timed? */
static int check_size(const struct unit_job *job, struct sweep_state *s, struct group *g,
                      const struct test_case *c, struct size_round *round, struct err *e)
{
    const int cores = job->harness->cores.count;
    for (size_t i = 0; i < g->count; i++) {
        struct member *m = &g->member[i];
        struct finding *f = &round->finding[i];
        const struct check_task task = {&m->driver, c, (uint64_t)m->combination->point, 2};
        struct outcome o;
        if (m->out)
            continue;
        round->tried[i] = true;
        *f = FINDING_INIT;
        if (harness_check(job->harness, &task, f, &o) != 0) {
            if (lost(job, s, m, &o, f, e) != 0)
                return -1;
            continue;
        }
        if (f->verdict != VERDICT_PASS || launch_oversubscribed(m->combination->launch, cores) ||
            driver_fell_back(&m->driver))
            continue;
        round->hint = round->count == 0 || f->seconds < round->hint ? f->seconds : round->hint;
        round->timed[round->count] = (struct timed_unit){.driver = &m->driver, .finding = f};
        round->who[round->count++] = i;
    }
    return 0;
}

static int time_size(const struct unit_job *job, struct sweep_state *s, struct group *g,
                     const struct test_case *c, struct size_round *round, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const struct measurement_task task = {.test_case = c,
                                          .performance = &a->performance,
                                          .hint = round->hint,
                                          .limit_ms = a->limits.case_ms};
    int64_t wait_budget_ms = WAIT_BUDGETS * (int64_t)round->count * a->performance.budget_ms;
    struct outcome o;
    if (!round->count)
        return 0;
    if (measurement_take_in_turns(job->harness, &task, round->timed, round->count, &wait_budget_ms,
                                  &o) != 0)
        return err_system(e, "%s", o.text);
    for (size_t i = 0; i < round->count; i++) {
        struct timed_unit *u = &round->timed[i];
        if (u->outcome.kind == OUTCOME_OK)
            continue;
        u->measurement.samples_count = 0; /* they are not kept */
        if (lost(job, s, &g->member[round->who[i]], &u->outcome, u->finding, e) != 0)
            return -1;
    }
    return 0;
}

/* Takes the measurements out of *round. */
static void record_size(const struct unit_job *job, const struct group *g,
                        const struct test_case *c, struct size_round *round, struct unit_result *r)
{
    for (size_t i = 0, timed = 0; i < g->count; i++) {
        if (!round->tried[i])
            continue;
        struct case_result *cr = add_case(job, g->member[i].combination, c, r);
        finding_store(&round->finding[i], cr);
        if (timed < round->count && round->who[timed] == i)
            measurement_store(&round->timed[timed++].measurement, cr);
    }
}

static int run_size(const struct unit_job *job, struct sweep_state *s, struct group *g,
                    const struct test_case *c, struct unit_result *r, struct err *e)
{
    struct size_round round = {0};
    int rc = check_size(job, s, g, c, &round, e);
    if (rc == 0)
        rc = time_size(job, s, g, c, &round, e);
    record_size(job, g, c, &round, r);
    return rc;
}

static void end(struct member *m, struct unit_result *r)
{
    if (!r->device[0] && m->driver.device[0])
        unit_record_text(&r->device, xstrdup(m->driver.device));
    if (driver_alive(&m->driver))
        driver_end(&m->driver);
    if (m->scratch)
        fs_remove_tree(m->scratch, NULL);
    if (m->shm)
        fs_remove_tree(m->shm, NULL);
    free(m->scratch);
    free(m->shm);
}

int sweep_group_run(const struct unit_job *job, struct sweep_state *s,
                    const struct combination *combinations, size_t count, struct unit_result *r,
                    struct err *e)
{
    struct node_context *node = job->node;
    struct group g = {.count = count};
    int rc = 0;
    for (size_t i = 0; i < count; i++) {
        g.member[i].combination = &combinations[i];
        g.member[i].driver = (struct driver_process)DRIVER_PROCESS_INIT;
    }
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = start(job, s, &g.member[i], r, e);
    for (size_t i = 0; i < count && rc == 0; i++)
        if (!g.member[i].out)
            rc = check(job, s, &g.member[i], r, e);
    timing_lock_exclusive(&node->timing_lock);
    driver_pin(&job->harness->yardstick, g.member[0].cores.id, 1);
    for (size_t i = 0; i < node->run.cases.count && rc == 0; i++)
        if (is_size(job, &node->run.cases.item[i]))
            rc = run_size(job, s, &g, &node->run.cases.item[i], r, e);
    timing_lock_share(&node->timing_lock);
    for (size_t i = 0; i < count; i++)
        end(&g.member[i], r);
    return rc;
}
