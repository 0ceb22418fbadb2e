#include "proctor/unit_driver.h"

#include <stdio.h>
#include <string.h>

#include "base/fsio.h"
#include "base/plural.h"
#include "build/imports.h"
#include "proctor/crash_line.h"
#include "proctor/fault.h"
#include "proctor/node_driver.h"
#include "proctor/unit_record.h"
#include "supervise/driver_limits.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"
#include "supervise/last_words.h"

/* What one driver leaves must not keep the next one from starting. */
static void clear_directory(const char *dir)
{
    if (!dir)
        return;
    fs_remove_tree(dir, NULL);
    fs_mkdirs(dir, NULL);
}

struct driver_spec unit_driver_spec(const struct unit_job *job, const char *library,
                                    const struct unit_homes *homes)
{
    struct driver_spec spec = node_driver_spec(job->node, job->tier);
    spec.program = job->program;
    spec.library = library;
    spec.scratch = homes->scratch;
    spec.shm = homes->shm;
    spec.fill = job->selection->fill;
    return spec;
}

void unit_driver_start_clean(struct driver_process *d, struct driver_spec *spec, uint64_t deadline,
                             struct outcome *o)
{
    clear_directory(spec->scratch);
    clear_directory(spec->shm);
    driver_start(d, spec, deadline, o);
}

/* The other nodes of the launch have a proctor each. Without a job of so many nodes, all ranks run
 * on this one (and are not timed). */
bool unit_driver_reach(const struct unit_job *job, int nodes, struct outcome *o)
{
    struct node_context *n = job->node;
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (nodes <= 1 || !other_nodes_possible(nodes))
        return true;
    if (other_nodes_find(&n->others, nodes, &e) != 0 ||
        other_nodes_start(&n->others, nodes, &n->sandbox, &e) != 0)
        outcome_set(o, OUTCOME_NOT_STARTED, "%s", e.text);
    return o->kind == OUTCOME_OK;
}

static int start(const struct unit_job *job, struct unit_state *s, struct outcome *o)
{
    node_context_end_orphans(job->node);
    const int nodes = s->spec.launch.nodes;
    if (!unit_driver_reach(job, nodes, o))
        return -1;
    s->spec.own_threads = imports_own_threads(s->spec.library);
    s->spec.others = nodes > 1 && other_nodes_possible(nodes) ? &job->node->others : NULL;
    s->spec.launch.nodes = s->spec.others ? nodes : 1;
    unit_driver_start_clean(&s->driver, &s->spec, s->deadline, o);
    s->spec.launch.nodes = nodes;
    s->protections &= s->driver.protections;
    return o->kind == OUTCOME_OK ? 0 : -1;
}

void unit_driver_start(const struct unit_job *job, struct unit_state *s, struct outcome *o)
{
    if (start(job, s, o) == 0)
        driver_pin(&s->driver, s->spec.cpus, s->spec.cpu_count);
}

int unit_driver_ensure(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       struct finding *f, struct err *e)
{
    struct outcome o;
    if (driver_alive(&s->driver) || start(job, s, &o) == 0)
        return 0;
    return unit_driver_lost(job, s, r, &o, f, e);
}

/* Time was not enough: could it be because threads shared cores? */
static void add_cores(const struct unit_job *job, const struct unit_state *s, enum verdict v,
                      char *message, size_t cap)
{
    const int workers = launch_workers(launch_on_node(s->spec.launch)),
              cores = job->harness->cores.count;
    const size_t used = strlen(message);
    if (v == VERDICT_TIMEOUT && workers > cores)
        snprintf(
            message + used, cap - used,
            "; %d workers shared %d %s: a worker that waits in a busy loop can stop the others. "
            "Wait with OpenMP, MPI or pthread functions instead of a loop",
            workers, cores, plural((unsigned)cores, "core", "cores"));
}

/* Which exception was not caught, and the like. */
static void add_last_words(const struct unit_result *r, const struct outcome *o, char *message,
                           size_t cap)
{
    char words[300];
    const size_t used = strlen(message);
    if (o->kind != OUTCOME_DIED || !r->last_output)
        return;
    last_words(r->last_output, words, sizeof words);
    if (*words)
        snprintf(message + used, cap - used, ": %s", words);
}

int unit_driver_lost(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct outcome *o, struct finding *f, struct err *e)
{
    const struct lost_driver lost = {.driver = &s->driver, .outcome = o, .alone = true};
    char message[sizeof f->message];
    const int failures_most = job->node->run.assignment->limits.failures;
    unit_record_driver(r, &s->driver);
    unit_record_failure(r, &s->driver, s->case_index);
    enum verdict v = fault_attribute(job->harness, &lost, s->end, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    add_last_words(r, o, message, sizeof message);
    crash_line_add(job, s, o, message, sizeof message);
    add_cores(job, s, v, message, sizeof message);
    f->verdict = v;
    memcpy(f->message, message, sizeof message);
    s->failures++;
    s->wrong = true;
    /* One timeout is enough: each further one would cost the limit of a case again. */
    if (o->kind == OUTCOME_CASE_TIMEOUT || o->kind == OUTCOME_UNIT_TIMEOUT ||
        o->kind == OUTCOME_LOAD_FAILED || s->failures >= failures_most)
        s->over = true;
    return 0;
}

void unit_driver_end(struct unit_state *s, struct unit_result *r)
{
    const bool alive = driver_alive(&s->driver);
    if (alive)
        driver_measure_memory(&s->driver);
    unit_record_driver(r, &s->driver);
    if (alive)
        driver_end(&s->driver);
}
