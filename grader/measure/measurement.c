#include "measure/measurement.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/run_overhead.h"
#include "measure/yardstick.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"

static bool is_right(const struct series *s)
{
    return s->outcome.kind == OUTCOME_OK && s->finding.verdict == VERDICT_PASS;
}

static bool row_is_right(const struct series *row, size_t sizes)
{
    for (size_t i = 0; i < sizes; i++)
        if (!is_right(&row[i]))
            return false;
    return true;
}

void measurement_store(struct series *row, size_t sizes, size_t size, struct case_result *r)
{
    struct series *s = &row[size];
    if (!row_is_right(row, sizes))
        return;
    r->samples = s->sample;
    r->samples_count = s->count;
    r->ranks = s->ranks;
    r->ranks_count = s->ranks_count;
    s->sample = NULL;
    s->ranks = NULL;
    s->count = s->room = s->ranks_count = 0;
}

static bool wants_start(const struct harness *h, const struct measurement_task *task,
                        const struct series *s)
{
    const struct estimate_progress p = {
        .sample = s->sample,
        .count = s->count,
        .record = known_times_get(&h->known, s->test_case->shape),
        .precision = task->precision,
        .budget = s->budget,
        .spent = s->spent,
        .last = s->last,
    };
    return !s->left_out && estimate_wants_start(&p);
}

/* One start of a unit, at the sizes that want one. */
struct turn {
    struct harness *harness;
    const struct measurement_task *task;
    const struct timed_unit *unit;
    struct series *row;
    bool *wanted;      /* by size: and has not been taken */
    size_t wanting;    /* of them */
    struct outcome *o; /* trouble with the yardstick */
    bool over;         /* nothing is to be timed any more */
};

/* Add the seconds since a moment to what a size has spent in this start. */
static void pay(struct series *s, uint64_t since, double share)
{
    s->last += share * (double)(clock_mono_ns() - since) * 1e-9;
}

/* The core of the unit on which the yardstick shows in this start whether something disturbs the
 * others: each one in turn. -1: it has one core only. */
static int other_core(const struct turn *t, const struct series *s)
{
    const struct driver_spec *spec = t->unit->spec;
    return spec->cpu_count < 2 || t->harness->yardstick.core < 0
               ? -1
               : spec->cpus[1 + s->start % (spec->cpu_count - 1)];
}

/* The yardstick on the first core of the unit, and on another one, while no process of the unit
 * exists. */
static int time_alone(struct turn *t)
{
    struct harness *h = t->harness;
    for (size_t i = 0; i < t->task->sizes; i++) {
        struct series *s = &t->row[i];
        if (!t->wanted[i])
            continue;
        const uint64_t began = clock_mono_ns();
        s->start = s->count ? s->sample[s->count - 1].start + 1 : 0;
        s->last = s->other = 0;
        const int other = other_core(t, s);
        int rc = yardstick_alone(h, s->test_case, &s->alone, t->o);
        if (rc == 0 && other >= 0) {
            driver_pin(&h->yardstick, &other, 1);
            rc = yardstick_alone(h, s->test_case, &s->other, t->o);
            driver_pin(&h->yardstick, t->unit->spec->cpus, 1);
        }
        if (rc != 0)
            return -1;
        pay(s, began, 1);
    }
    return 0;
}

static void start_process(struct turn *t)
{
    const uint64_t began = clock_mono_ns();
    struct outcome o;
    t->unit->start(t->unit->with, &o);
    bool told = false;
    for (size_t i = 0; i < t->task->sizes; i++) {
        if (!t->wanted[i])
            continue;
        pay(&t->row[i], began, 1 / (double)t->wanting);
        if (!told)
            t->row[i].outcome = o;
        told = true;
    }
}

/* Why this takes the time that it takes: which size, which start; and that there are more starts
 * than a quiet node needs. */
static void tell(const struct turn *t, const struct series *s)
{
    char size[SHAPE_TEXT], launch[48] = "", words[STAGE_TEXT];
    const struct launch l = t->unit->spec->launch;
    shape_format(s->test_case->shape, size);
    if (l.ranks > 1)
        snprintf(launch, sizeof launch, ", %d ranks", l.ranks);
    if (l.threads > 1)
        snprintf(launch + strlen(launch), sizeof launch - strlen(launch), ", %d threads",
                 l.threads);
    const int start = s->start + 1;
    if (start <= ESTIMATE_STARTS)
        snprintf(words, sizeof words, "%s %s%s, start %d of %d", t->task->what, size, launch, start,
                 ESTIMATE_STARTS);
    else
        snprintf(words, sizeof words, "%s %s%s, start %d, the machine is busy", t->task->what, size,
                 launch, start);
    stage_enter(words);
}

/* The smallest of the sizes that want a start and have not been taken; NULL: there is none. */
static struct series *next_size(struct turn *t)
{
    const struct kernel *k = t->harness->kernel;
    size_t found = t->task->sizes;
    for (size_t i = 0; i < t->task->sizes; i++)
        if (t->wanted[i] &&
            (found == t->task->sizes || problem_bytes(k, t->row[i].test_case->shape) <
                                            problem_bytes(k, t->row[found].test_case->shape)))
            found = i;
    if (found == t->task->sizes)
        return NULL;
    t->wanted[found] = false;
    return &t->row[found];
}

/* The runs of all sizes in this process, until one is wrong; the smallest size first. A large block
 * that was freed keeps the C library from giving smaller ones back to the kernel for the rest of
 * the process: behind a larger size, the same calls took a quarter of the time. What the yardstick
 * showed while it was alone belongs to the record of the node. */
static int take_sizes(struct turn *t, const struct run_overhead *overhead)
{
    /* The host's pages do not matter to a device. MPI may have to register pages that it has not
     * sent from before. */
    const struct start_task task = {.harness = t->harness,
                                    .driver = t->unit->driver,
                                    .overhead = overhead,
                                    .limit_ms = t->task->limit_ms,
                                    .same_pages = t->unit->driver->computes != ON_CORES ||
                                                  t->unit->spec->launch.ranks > 1};
    for (struct series *s; row_is_right(t->row, t->task->sizes) && (s = next_size(t));) {
        tell(t, s);
        const uint64_t began = clock_mono_ns();
        if (timed_start_take(&task, s, t->o) != 0)
            return -1;
        pay(s, began, 1);
        s->spent += s->last;
        if (s->start > 0)
            known_times_note(&t->harness->known, s->test_case->shape,
                             estimate_alone(s->sample, s->count));
    }
    return 0;
}

static struct shape_range range_of(const struct harness *h, const struct series *row, size_t sizes)
{
    OWNED struct shape *shapes = xcalloc(sizes, sizeof *shapes);
    for (size_t s = 0; s < sizes; s++)
        shapes[s] = row[s].test_case->shape;
    return run_overhead_range(h->kernel, shapes, sizes);
}

/* The size at which the unit is wrong or lost; NULL: it is right. */
static struct series *first_failed(const struct turn *t)
{
    for (size_t i = 0; i < t->task->sizes; i++)
        if (!is_right(&t->row[i]))
            return &t->row[i];
    return NULL;
}

static int take_turn(struct turn *t, const struct run_overhead *overhead)
{
    struct own_core *own = &t->harness->yardstick_spec.supervisor->own_core;
    driver_pin(&t->harness->yardstick, t->unit->spec->cpus, 1);
    if (t->harness->yardstick.core >= 0)
        own_core_settle(own, t->harness->yardstick.core);
    int rc = time_alone(t);
    if (rc == 0) {
        start_process(t);
        if (!first_failed(t))
            rc = take_sizes(t, overhead);
        t->over = !t->unit->end(t->unit->with, first_failed(t));
    }
    own_core_leave(own);
    return rc;
}

int measurement_take(struct harness *h, const struct measurement_task *task, struct series *series,
                     struct outcome *o)
{
    struct run_overhead overhead;
    OWNED bool *wanted = xcalloc(task->sizes + 1, sizeof *wanted);
    *o = (struct outcome){0};
    int rc = run_overhead_start(&overhead, h, task->unit[0].spec, o);
    const bool started = rc == 0;
    if (started)
        rc = run_overhead_measure(&overhead, range_of(h, series, task->sizes), o);
    bool over = false;
    for (bool any = true; any && !over && rc == 0;) {
        any = false;
        for (size_t u = 0; u < task->units && !over && rc == 0; u++) {
            struct turn t = {.harness = h,
                             .task = task,
                             .unit = &task->unit[u],
                             .row = series + u * task->sizes,
                             .wanted = wanted,
                             .o = o};
            for (size_t i = 0; i < task->sizes; i++)
                t.wanting += wanted[i] = wants_start(h, task, &t.row[i]);
            if (!t.wanting || !row_is_right(t.row, task->sizes))
                continue;
            any = true;
            rc = take_turn(&t, &overhead);
            over = t.over;
        }
    }
    if (started)
        run_overhead_end(&overhead);
    return rc;
}
