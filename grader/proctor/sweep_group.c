#include "proctor/sweep_group.h"

#include <math.h>
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
#include "rundir/stage.h"
#include "supervise/cores.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_process.h"
#include "supervise/driver_start.h"
#include "supervise/priority.h"

/* A combination of the group, with its driver. */
struct member {
    const struct combination *combination;
    struct sweep_state *state;
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

static void end_driver(void *with)
{
    struct member *m = with;
    if (driver_alive(&m->driver))
        driver_end(&m->driver);
}

static void start_driver(void *with, struct outcome *o)
{
    struct member *m = with;
    driver_start(&m->driver, &m->spec, m->state->deadline, o);
    m->state->ran &= m->driver.protections;
}

static int start(const struct unit_job *job, struct sweep_state *s, struct member *m,
                 struct unit_result *r, struct err *e)
{
    struct node_context *n = job->node;
    const struct tier *t = job->tier;
    const struct launch launch = m->combination->launch;
    struct outcome o;
    cores_quietest(&job->harness->cores, launch_workers(launch), &m->cores);
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
    start_driver(m, &o);
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
static int check_size(const struct unit_job *job, struct sweep_state *s, struct group *g,
                      struct grid *grid, size_t size, struct err *e)
{
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
            if (lost(job, s, m, &o, f, e) != 0)
                return -1;
        } else if (f->verdict == VERDICT_PASS) {
            z->hint = fmin(z->hint, f->seconds);
        }
    }
    return 0;
}

/* Time those that have a driver and enough cores. */
static int time_group(const struct unit_job *job, struct sweep_state *s, struct group *g,
                      struct grid *grid, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const size_t row = grid->sizes_count;
    struct timed_unit units[SWEEP_GROUP_MOST];
    size_t who[SWEEP_GROUP_MOST], count = 0;
    struct outcome o;
    for (size_t i = 0; i < g->count; i++) {
        struct member *m = &g->member[i];
        if (m->out || driver_fell_back(&m->driver) ||
            launch_oversubscribed(m->combination->launch, job->harness->cores.count))
            continue;
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
            rc = lost(job, s, &g->member[i], &measured[k].outcome, &findings[k], e);
        grid->findings[cell] = findings[k];
        grid->measured[cell] = measured[k];
    }
    free(measured);
    free(findings);
    return rc;
}

static void record(const struct unit_job *job, const struct group *g, struct grid *grid,
                   struct unit_result *r)
{
    const double precision = job->node->run.assignment->performance.precision;
    for (size_t size = 0; size < grid->sizes_count; size++) {
        for (size_t i = 0; i < g->count; i++) {
            const size_t cell = i * grid->sizes_count + size;
            if (!grid->tried[cell])
                continue;
            struct case_result *cr =
                add_case(job, g->member[i].combination, grid->sizes[size].test_case, r);
            finding_store(&grid->findings[cell], cr);
            if (grid->findings[cell].verdict == VERDICT_PASS) /* other times are not kept */
                measurement_store(&grid->measured[cell], precision, cr);
            measurement_free(&grid->measured[cell]);
        }
    }
}

static int run_sizes(const struct unit_job *job, struct sweep_state *s, struct group *g,
                     struct unit_result *r, struct err *e)
{
    const struct case_list *cases = &job->node->run.cases;
    struct grid grid = {.sizes = xcalloc(cases->count + 1, sizeof *grid.sizes)};
    for (size_t i = 0; i < cases->count; i++)
        if (is_size(job, &cases->item[i]))
            grid.sizes[grid.sizes_count++].test_case = &cases->item[i];
    const size_t cells = g->count * grid.sizes_count;
    grid.tried = xcalloc(cells + 1, sizeof *grid.tried);
    grid.findings = xcalloc(cells + 1, sizeof *grid.findings);
    grid.measured = xcalloc(cells + 1, sizeof *grid.measured);
    int rc = 0;
    for (size_t i = 0; i < grid.sizes_count && rc == 0; i++)
        rc = check_size(job, s, g, &grid, i, e);
    if (rc == 0)
        rc = time_group(job, s, g, &grid, e);
    record(job, g, &grid, r);
    free(grid.measured);
    free(grid.findings);
    free(grid.tried);
    free(grid.sizes);
    return rc;
}

static void end(struct member *m, struct unit_result *r)
{
    if (!r->device[0] && m->driver.device[0])
        unit_record_text(&r->device, xstrdup(m->driver.device));
    end_driver(m);
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
    priority_set(PRIORITY_TIMED);
    for (size_t i = 0; i < count; i++) {
        g.member[i].combination = &combinations[i];
        g.member[i].state = s;
        g.member[i].driver = (struct driver_process)DRIVER_PROCESS_INIT;
    }
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = start(job, s, &g.member[i], r, e);
    for (size_t i = 0; i < count && rc == 0; i++)
        if (!g.member[i].out)
            rc = check(job, s, &g.member[i], r, e);
    timing_lock_exclusive(&node->timing_lock);
    stage_enter("timing");
    driver_pin(&job->harness->yardstick, g.member[0].cores.id, 1);
    if (rc == 0)
        rc = run_sizes(job, s, &g, r, e);
    timing_lock_share(&node->timing_lock);
    for (size_t i = 0; i < count; i++)
        end(&g.member[i], r);
    priority_set(PRIORITY_USUAL);
    return rc;
}
