#include "proctor/sweep_group.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "measure/harness_check.h"
#include "measure/measurement.h"
#include "proctor/fault.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_homes.h"
#include "proctor/unit_record.h"
#include "rundir/stage.h"
#include "supervise/cores.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_process.h"
#include "supervise/driver_start.h"
#include "supervise/priority.h"

struct group;

/* A combination of the group, with its driver. */
struct member {
    struct group *group;
    const struct combination *combination;
    struct cores cores; /* that its driver runs on: the first ones of the group's */
    struct unit_homes homes;
    struct driver_process driver;
    struct driver_spec spec;
    bool out; /* it failed, and this is recorded */
};

struct group {
    const struct unit_job *job;
    struct sweep_state *state;
    struct unit_result *result;
    struct cores cores; /* of the widest member */
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

/* The limit of the unit does not run while it waits for the timing lock. */
static void put_off(struct group *g, uint64_t waited_ns)
{
    g->state->deadline += waited_ns;
    for (size_t i = 0; i < g->count; i++)
        g->member[i].driver.unit_deadline = g->state->deadline;
}

/* A driver is lost. 0: the combination's code is the reason, and *f says so; -1: infrastructure
 * trouble. */
static int lost(struct member *m, const struct outcome *o, struct finding *f, struct err *e)
{
    const struct lost_driver gone = {.driver = &m->driver, .outcome = o, .alone = false};
    const struct group *g = m->group;
    char message[sizeof f->message];
    enum verdict v =
        fault_attribute(g->job->harness, &gone, g->state->end, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    m->out = true;
    f->verdict = v;
    memcpy(f->message, message, sizeof message);
    return 0;
}

static void end_driver(void *with)
{
    struct member *m = with;
    struct group *g = m->group;
    if (!g->result->device[0] && m->driver.device[0])
        unit_record_text(&g->result->device, xstrdup(m->driver.device));
    if (driver_alive(&m->driver))
        driver_end(&m->driver);
    for (size_t i = 0; i < g->count; i++)
        if (driver_alive(&g->member[i].driver))
            return;
    /* What the drivers have left could slow the yardstick, which is timed alone next. */
    node_context_end_orphans(g->job->node);
}

static void start_driver(void *with, struct outcome *o)
{
    struct member *m = with;
    struct sweep_state *s = m->group->state;
    unit_driver_start_clean(&m->driver, &m->spec, s->deadline, o);
    s->ran &= m->driver.protections;
    if (o->kind == OUTCOME_OK)
        driver_pin(&m->driver, m->cores.id, m->cores.count);
}

/* All members begin with the same core. There the yardstick runs, too. */
static void choose_cores(struct group *g)
{
    struct harness *h = g->job->harness;
    int widest = 1;
    for (size_t i = 0; i < g->count; i++) {
        const int workers = launch_workers(g->member[i].combination->launch);
        widest = workers > widest ? workers : widest;
    }
    cores_quietest(&h->cores, widest, &g->cores);
    driver_pin(&h->yardstick, g->cores.id, 1);
}

static int start(struct member *m, struct err *e)
{
    const struct group *g = m->group;
    const struct combination *x = m->combination;
    struct outcome o;
    char *name = xasprintf("home-%d-%d", x->point, x->launch_index);
    int rc = unit_homes_make(&m->homes, g->job, name, e);
    free(name);
    if (rc != 0)
        return -1;
    cores_first(&g->cores, launch_workers(x->launch), &m->cores);
    m->spec = unit_driver_spec(g->job, x->library, &m->homes);
    m->spec.launch = x->launch;
    m->spec.cpus = m->cores.id;
    m->spec.cpu_count = m->cores.count;
    start_driver(m, &o);
    if (o.kind == OUTCOME_OK)
        return 0;
    struct finding f = FINDING_INIT;
    if (lost(m, &o, &f, e) != 0)
        return -1;
    sweep_record_failure(g->job, x, f.verdict, f.message, g->result);
    return 0;
}

/* All correctness cases, until one fails. */
static int check(struct member *m, struct err *e)
{
    const struct group *g = m->group;
    const struct case_list *cases = &g->job->node->run.cases;
    for (size_t i = 0; i < cases->count && !m->out; i++) {
        const struct test_case *c = &cases->item[i];
        const struct check_task task = {&m->driver, c, (uint64_t)m->combination->point, 1};
        struct finding f = FINDING_INIT;
        struct outcome o;
        if (c->kind == CASE_PERFORMANCE)
            continue;
        if (harness_check(g->job->harness, &task, &f, &o) != 0) {
            if (lost(m, &o, &f, e) != 0)
                return -1;
            sweep_record_failure(g->job, m->combination, f.verdict, f.message, g->result);
        } else if (f.verdict != VERDICT_PASS) {
            char shape[SHAPE_TEXT];
            shape_format(c->shape, shape);
            char *text = xasprintf("case %d (%s): %s", c->index, shape, f.message);
            sweep_record_failure(g->job, m->combination, f.verdict, text, g->result);
            free(text);
            m->out = true;
        }
    }
    return 0;
}

/* The sizes, and what was found out. Cells are a row for each member of the group and a column for
 * each size. */
struct grid {
    struct timed_size *sizes;
    size_t sizes_count;
    bool *tried;                  /* cells */
    struct finding *findings;     /* cells */
    struct measurement *measured; /* cells */
};

/* Check a size with each member that is not out. */
static int check_size(struct group *g, struct grid *grid, size_t size, struct err *e)
{
    const struct unit_job *job = g->job;
    struct timed_size *z = &grid->sizes[size];
    z->hint = INFINITY;
    z->budget = 1e-3 * (double)job->node->run.assignment->performance.budget_ms;
    for (size_t i = 0; i < g->count; i++) {
        struct member *m = &g->member[i];
        struct finding *f = &grid->findings[i * grid->sizes_count + size];
        const struct check_task task = {&m->driver, z->test_case, (uint64_t)m->combination->point,
                                        2};
        struct outcome o;
        *f = FINDING_INIT;
        if (m->out)
            continue;
        grid->tried[i * grid->sizes_count + size] = true;
        if (harness_check(job->harness, &task, f, &o) != 0) {
            if (lost(m, &o, f, e) != 0)
                return -1;
        } else if (f->verdict == VERDICT_PASS) {
            z->hint = fmin(z->hint, f->seconds);
        }
    }
    return 0;
}

/* Has it a driver and enough cores, and is it right at all sizes? */
static bool can_be_timed(const struct group *g, const struct grid *grid, size_t i)
{
    const struct member *m = &g->member[i];
    const struct finding *row = &grid->findings[i * grid->sizes_count];
    if (m->out || driver_fell_back(&m->driver) ||
        launch_oversubscribed(m->combination->launch, g->job->harness->cores.count))
        return false;
    for (size_t k = 0; k < grid->sizes_count; k++)
        if (row[k].verdict != VERDICT_PASS)
            return false;
    return true;
}

static int time_group(struct group *g, struct grid *grid, struct err *e)
{
    const struct unit_job *job = g->job;
    const struct assignment *a = job->node->run.assignment;
    const size_t row = grid->sizes_count;
    struct timed_unit units[SWEEP_GROUP_MOST];
    size_t who[SWEEP_GROUP_MOST], count = 0;
    struct outcome o;
    for (size_t i = 0; i < g->count; i++) {
        struct member *m = &g->member[i];
        if (!can_be_timed(g, grid, i)) {
            end_driver(m);
            continue;
        }
        units[count] = (struct timed_unit){&m->driver, end_driver, start_driver, m};
        who[count++] = i;
    }
    if (!count || !row)
        return 0;
    /* Rows of those that are timed alone. */
    struct finding *findings = xcalloc(count * row, sizeof *findings);
    struct measurement *measured = xcalloc(count * row, sizeof *measured);
    const struct measurement_task task = {.sizes = grid->sizes,
                                          .sizes_count = row,
                                          .units = units,
                                          .units_count = count,
                                          .precision = a->performance.precision,
                                          .trials = (size_t)a->performance.trials,
                                          .limit_ms = a->limits.case_ms};
    for (size_t k = 0; k < count * row; k++)
        findings[k] = grid->findings[who[k / row] * row + k % row];
    int rc = measurement_take(job->harness, &task, findings, measured, &o);
    if (rc != 0)
        err_system(e, "%s", o.text);
    for (size_t k = 0; k < count * row; k++) {
        const size_t i = who[k / row], cell = i * row + k % row;
        if (rc == 0 && measured[k].outcome.kind != OUTCOME_OK)
            rc = lost(&g->member[i], &measured[k].outcome, &findings[k], e);
        grid->findings[cell] = findings[k];
        grid->measured[cell] = measured[k];
    }
    free(measured);
    free(findings);
    return rc;
}

static void record(const struct group *g, struct grid *grid)
{
    const struct unit_job *job = g->job;
    const double precision = job->node->run.assignment->performance.precision;
    for (size_t size = 0; size < grid->sizes_count; size++) {
        for (size_t i = 0; i < g->count; i++) {
            const size_t cell = i * grid->sizes_count + size;
            if (!grid->tried[cell])
                continue;
            struct case_result *cr =
                add_case(job, g->member[i].combination, grid->sizes[size].test_case, g->result);
            finding_store(&grid->findings[cell], cr);
            if (grid->findings[cell].verdict == VERDICT_PASS) /* other times are not kept */
                measurement_store(&grid->measured[cell], precision, cr);
            measurement_free(&grid->measured[cell]);
        }
    }
}

static int run_sizes(struct group *g, struct err *e)
{
    const struct case_list *cases = &g->job->node->run.cases;
    struct grid grid = {.sizes = xcalloc(cases->count + 1, sizeof *grid.sizes)};
    for (size_t i = 0; i < cases->count; i++)
        if (is_size(g->job, &cases->item[i]))
            grid.sizes[grid.sizes_count++].test_case = &cases->item[i];
    const size_t cells = g->count * grid.sizes_count;
    grid.tried = xcalloc(cells + 1, sizeof *grid.tried);
    grid.findings = xcalloc(cells + 1, sizeof *grid.findings);
    grid.measured = xcalloc(cells + 1, sizeof *grid.measured);
    int rc = 0;
    for (size_t i = 0; i < grid.sizes_count && rc == 0; i++)
        rc = check_size(g, &grid, i, e);
    if (rc == 0)
        rc = time_group(g, &grid, e);
    record(g, &grid);
    free(grid.measured);
    free(grid.findings);
    free(grid.tried);
    free(grid.sizes);
    return rc;
}

int sweep_group_run(const struct unit_job *job, struct sweep_state *s,
                    const struct combination *combinations, size_t count, struct unit_result *r,
                    struct err *e)
{
    struct group g = {.job = job, .state = s, .result = r, .count = count};
    struct timing_lock *lock = &job->node->timing_lock;
    int rc = 0;
    for (size_t i = 0; i < count; i++)
        g.member[i] = (struct member){
            .group = &g, .combination = &combinations[i], .driver = DRIVER_PROCESS_INIT};
    /* Between two groups, those who wait to time come first. */
    put_off(&g, timing_lock_share(lock));
    choose_cores(&g);
    priority_set(PRIORITY_TIMED);
    stage_enter("checking results");
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = start(&g.member[i], e);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = check(&g.member[i], e);
    put_off(&g, timing_lock_exclusive(lock));
    stage_enter("timing");
    if (rc == 0)
        rc = run_sizes(&g, e);
    timing_lock_downgrade(lock);
    for (size_t i = 0; i < count; i++) {
        end_driver(&g.member[i]);
        unit_homes_remove(&g.member[i].homes);
    }
    priority_set(PRIORITY_USUAL);
    return rc;
}
