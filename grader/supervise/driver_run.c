#include "supervise/driver_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "supervise/arena_parts.h"
#include "supervise/cores.h"
#include "supervise/driver_channel.h"
#include "supervise/driver_halt.h"
#include "supervise/driver_limits.h"

enum {
    DESCRIBE_LIMIT_MS = 60000,
    CPU_EXTRA_NS = 1000000, /* clocks differ a little */
    OVERRUNS_MOST = 2,
};

static void send_case(struct driver_process *d, const struct arena *a, bool yard)
{
    int fds[PG_MAX_INPUTS + 1];
    const unsigned n = a->layout.form.inputs;
    for (unsigned i = 0; i < n; i++)
        fds[i] = d->computes == ON_DEVICE ? a->masked[i].fd : a->in[i].fd;
    fds[n] = yard ? a->yard_out.fd : a->out.fd;
    struct pg_case layout = a->layout;
    layout.memory = d->spec.memory;
    driver_send(d->sock, &layout, sizeof layout, fds, n + 1);
}

/* Rank 0 last: it asks the others for theirs. */
static void send_parts(struct driver_process *d, const struct arena *a)
{
    int fds[PG_MAX_INPUTS + 1];
    for (int r = a->parts.ranks - 1; r >= 0; r--) {
        arena_part_files(a, r, fds);
        driver_send(r ? d->rank_sock[r] : d->sock, &a->parts.of[r], sizeof *a->parts.of, fds,
                    a->layout.form.inputs + 1);
    }
}

void driver_move(struct driver_process *d, struct arena *a, bool yard, struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (d->spec.spread && arena_divide(a, d->spec.launch.ranks, &e) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "%s", e.text);
        return;
    }
    driver_resume(d);
    if (driver_violated(d, o))
        return;
    driver_read_output(d);
    if (d->spec.spread)
        send_parts(d, a);
    else
        send_case(d, a, yard);
    driver_expect_ready(d, clock_deadline_ms(d->spec.limits->case_ms), OUTCOME_DRIVER_FAILED, NULL,
                        0, o);
    if (o->kind == OUTCOME_OK)
        driver_halt(d);
}

void driver_case(struct driver_process *d, struct arena *a, bool yard, struct outcome *o)
{
    driver_read_output(d);
    strbuf_clear(&d->output);
    driver_move(d, a, yard, o);
}

void driver_describe(struct driver_process *d, struct pg_device *device, struct outcome *o)
{
    union driver_message m;
    const struct pg_describe ask = {.type = PG_DESCRIBE};
    *o = (struct outcome){0};
    driver_resume(d);
    driver_send(d->sock, &ask, sizeof ask, NULL, 0);
    ssize_t n = driver_await(d, d->sock, &m, clock_deadline_ms(DESCRIBE_LIMIT_MS), NULL, o);
    if (!n)
        return;
    if (n != (ssize_t)sizeof m.device || m.type != PG_DEVICE) {
        outcome_set(o, OUTCOME_DRIVER_FAILED, "the driver %s cannot describe its device",
                    d->spec.program);
        return;
    }
    *device = m.device;
    device->name[sizeof device->name - 1] = '\0';
    driver_halt(d);
}

/* --- rows that come before DONE --------------------------------------------------------------- */

static unsigned at_most_int(uint64_t v)
{
    return v < INT32_MAX ? (unsigned)v : INT32_MAX;
}

/* Rows come from the student's process, so impossible ones are dropped. */
static void keep_row(struct device_profile *p, const struct pg_profile_row *r)
{
    if (!p || p->count == PROFILE_MOST || r->calls < 1 || r->calls > INT32_MAX ||
        r->grid_blocks > INT64_MAX || !(r->occupancy >= 0 && r->occupancy <= 1) ||
        r->min_ns > r->max_ns || r->max_ns > r->total_ns || !isfinite(r->median_ns) ||
        !(r->stddev_ns >= 0 && isfinite(r->stddev_ns)))
        return;
    p->row = xrealloc_array(p->row, p->count + 1, sizeof *p->row);
    struct profile_row *to = &p->row[p->count++];
    *to = (struct profile_row){.activity = r->activity == PG_KERNEL ? ACTIVITY_KERNEL
                                           : r->activity == PG_COPY ? ACTIVITY_COPY
                                                                    : ACTIVITY_API,
                               .calls = r->calls,
                               .seconds = (double)r->total_ns * 1e-9,
                               .median = r->median_ns * 1e-9,
                               .min = (double)r->min_ns * 1e-9,
                               .max = (double)r->max_ns * 1e-9,
                               .stddev = r->calls > 1 ? r->stddev_ns * 1e-9 : (double)NAN,
                               .registers = at_most_int(r->registers),
                               .shared_bytes = at_most_int(r->shared_bytes),
                               .block_threads = at_most_int(r->block_threads),
                               .grid_blocks = r->grid_blocks,
                               .occupancy = r->occupancy};
    snprintf(to->name, sizeof to->name, "%.*s", (int)sizeof r->name - 1, r->name);
}

/* The same for what a rank reports. */
static void keep_rank(const struct driver_process *d, struct rank_work *ranks,
                      const struct pg_rank *r)
{
    if (!ranks || r->rank < 0 || r->rank >= d->spec.launch.ranks || !(r->mpi_seconds >= 0) ||
        !isfinite(r->mpi_seconds) || !(r->kernel_seconds >= 0) || !isfinite(r->kernel_seconds))
        return;
    double compute = r->kernel_seconds - r->mpi_seconds;
    ranks[r->rank] = (struct rank_work){.compute_seconds = compute > 0 ? compute : 0,
                                        .mpi_seconds = r->mpi_seconds,
                                        .bytes = r->bytes,
                                        .shared = r->shared != 0};
}

/* True for a row that was asked for; it is kept. */
static bool take_row(const struct driver_process *d, const struct request *q,
                     const union driver_message *m, ssize_t n)
{
    if (n == (ssize_t)sizeof m->row && m->type == PG_PROFILE_ROW && q->steps & PG_PROFILE)
        keep_row(q->profile, &m->row);
    else if (n == (ssize_t)sizeof m->rank && m->type == PG_RANK && q->steps & PG_RANKS)
        keep_rank(d, q->ranks, &m->rank);
    else
        return false;
    return true;
}

/* --- one request ------------------------------------------------------------------------------ */

/* The clock of one request. Times are CLOCK_MONOTONIC ns. */
struct run_clock {
    uint64_t start;      /* right before GO */
    uint64_t computed;   /* COMPUTED arrived, or `end` when there is none */
    uint64_t end;        /* DONE arrived; on the host, right before the halt */
    uint64_t charged_ns; /* off the clock, see driver_process.h */
    uint64_t cpu_before; /* the driver's processor time at `start` */
};

static bool is_answer(const struct driver_process *d, const union driver_message *m, ssize_t n,
                      uint32_t type)
{
    return n == (ssize_t)sizeof m->done && m->type == type && m->done.sequence == d->sequence;
}

/* Start the clock, send GO, let the driver run. False when GO cannot be sent. */
static bool go(struct driver_process *d, const struct request *q, struct run_clock *c)
{
    const struct pg_go message = {.type = PG_GO,
                                  .reps = q->reps,
                                  .rounds = q->rounds,
                                  .steps = q->steps,
                                  .sets = q->sets,
                                  .pairing = q->pairing,
                                  .rounding = q->rounding,
                                  .sequence = ++d->sequence,
                                  .key = q->key};
    if (q->counters)
        driver_counters_start(q->counters);
    driver_resume_elsewhere(d);
    c->cpu_before = driver_cpu_ns(d);
    own_core_roam(&d->spec.supervisor->own_core);
    c->start = clock_mono_ns();
    c->charged_ns = driver_charge_before_go(d, c->cpu_before, c->start);
    bool sent = send(d->sock, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    driver_resume(d);
    return sent;
}

/* Wait for DONE or ERROR; sets c->end to its time of arrival, and c->computed to that of COMPUTED,
 * where copies follow. A driver gains nothing when it omits COMPUTED or sends it too early: what it
 * does afterwards is timed as well. */
static void await_done(struct driver_process *d, const struct request *q, struct run_clock *c,
                       struct timing *t, struct outcome *o)
{
    union driver_message m;
    ssize_t n;
    bool goes_on;
    do {
        const int64_t limit_ms = q->limit_ms + (c->computed ? q->copy_ms : 0);
        n = driver_await(d, d->sock, &m, c->start + (uint64_t)limit_ms * 1000000, &c->end, o);
        goes_on = n && !c->computed && q->steps & PG_DOWNLOAD && is_answer(d, &m, n, PG_COMPUTED);
        if (goes_on)
            c->computed = c->end;
    } while (n && (goes_on || take_row(d, q, &m, n)));
    if (!n)
        return;
    if (m.type == PG_ERROR && n == (ssize_t)sizeof m.error && d->computes != ON_CORES) {
        o->kind = OUTCOME_DEVICE;
        o->error = m.error;
        o->error.name[sizeof o->error.name - 1] = '\0';
        o->error.text[sizeof o->error.text - 1] = '\0';
        o->error.when[sizeof o->error.when - 1] = '\0';
    } else if (!is_answer(d, &m, n, PG_DONE)) {
        outcome_set(o, OUTCOME_PROTOCOL, "an unexpected message (type %u) came instead of DONE",
                    m.type);
    } else {
        t->device = m.done.device_seconds;
        t->unordered = m.done.unordered > 0 && d->computes != ON_CORES;
    }
}

/* 0 when a process is gone. */
static uint64_t cpu_used(const struct driver_process *d, const struct run_clock *c)
{
    const uint64_t now = d->halted ? d->halted_cpu_ns : driver_cpu_ns(d);
    return now > c->cpu_before ? now - c->cpu_before : 0;
}

/* Is this processor time more than the cores of so many workers have? */
static bool is_too_much(uint64_t cpu_ns, uint64_t awake_ns, uint64_t workers)
{
    return cpu_ns > awake_ns * workers / 10 * 11 + CPU_EXTRA_NS;
}

/* Seconds that the cores of so many workers need for the processor time of another node. It has no
 * clock of the run: it may use more before GO, and until it is halted. */
static double needed_elsewhere(const struct node_answer *n, uint64_t timed_ns, uint64_t workers)
{
    const uint64_t off_ns = n->awake_ns > timed_ns ? n->awake_ns - timed_ns : 0;
    return ((double)n->cpu_ns / (double)workers - (double)off_ns) * 1e-9;
}

/* A run lasts at least as long as the cores that it was given need for the driver's processor time.
 * The driver can change its affinity, but it cannot hide processor time. Much more of it than its
 * cores have is a violation in the second such run. One run is not enough: where a hypervisor takes
 * a core away at the wrong moment, that time looks like the driver's. Runtimes of devices have
 * threads of their own. While nothing is timed, one worker has all cores, and may use them with
 * threads of its own. What runs between DONE and the halt is in the time already. */
static void check_cores_used(struct driver_process *d, const struct run_clock *c, uint64_t awake_ns,
                             struct timing *t)
{
    const int launched = launch_workers(launch_on_node(d->spec.launch)), given = d->spec.cpu_count;
    const uint64_t workers = (uint64_t)(launched == 1 && given > 1 ? given : launched),
                   timed_ns = c->end - c->start, cpu_ns = cpu_used(d, c);
    double needed = (double)cpu_ns / (double)workers * 1e-9;
    bool too_much = is_too_much(cpu_ns, awake_ns, workers);
    for (unsigned i = 0; d->halted && d->spec.others && i < d->spec.others->count; i++) {
        const struct other_node *n = &d->spec.others->node[i];
        if (!n->spawned)
            continue;
        needed = fmax(needed, needed_elsewhere(&n->halted, timed_ns, workers));
        too_much = too_much || is_too_much(n->halted.cpu_ns, n->halted.awake_ns, workers);
    }
    t->seconds = fmax(t->seconds, needed);
    if (too_much && ++d->overruns == OVERRUNS_MOST && !d->violation)
        d->violation = "it ran on more cores than it was given";
}

/* Fill t->cores and t->busiest. A thread that is ready to run and has no core counts as busy,
 * because it would run if no other program were there. Threads of ranks are not observed one by
 * one, so these are unknown under MPI. */
static void count_cores(const struct driver_process *d, const struct run_clock *c,
                        const struct wait_times *before, struct timing *t)
{
    const double cpu = (double)cpu_used(d, c) * 1e-9;
    if (d->ranks.count || cpu <= 0)
        return;
    t->cores = (cpu + (double)wait_increase_sum(before, &d->waits) * 1e-9) / t->seconds;
    const uint64_t most = ran_increase(before, &d->waits);
    if (most) /* else the kernel keeps no times of threads */
        t->busiest = fmin((double)most * 1e-9 / cpu, 1);
}

void driver_run(struct driver_process *d, const struct request *q, struct timing *t,
                struct outcome *o)
{
    struct wait_times before = d->waits; /* nothing has changed since the halt */
    struct run_clock c = {0};
    *o = (struct outcome){0};
    if (!d->halted)
        procfs_wait(d->leader, &before);
    const bool sent = go(d, q, &c);
    if (!driver_violated(d, o)) {
        if (sent)
            await_done(d, q, &c, t, o);
        else
            driver_record_death(d, o);
    }
    if (o->kind == OUTCOME_OK && !q->go_on)
        c.charged_ns += driver_halt_after_done(d, &c.end);
    if (!c.computed)
        c.computed = c.end;
    own_core_return(&d->spec.supervisor->own_core);
    if (q->counters)
        driver_counters_stop(q->counters);
    if (o->kind != OUTCOME_OK)
        return;
    driver_read_output(d); /* a quick kernel's output may not have been read yet */
    if (!driver_output_within(d, o))
        return;
    const bool on_cores = d->halted && d->computes == ON_CORES;
    const uint64_t awake_ns = (d->halted ? d->still_ns : clock_mono_ns()) - c.start;
    t->seconds = (double)(c.computed - c.start + c.charged_ns) * 1e-9;
    t->cores = t->busiest = (double)NAN;
    if (on_cores)
        check_cores_used(d, &c, awake_ns, t);
    if (driver_violated(d, o))
        return;
    if (!d->halted)
        procfs_wait(d->leader, &d->waits);
    t->copied = (double)(c.end - c.computed) * 1e-9;
    if (on_cores)
        count_cores(d, &c, &before, t);
    struct supervisor *all = d->spec.supervisor;
    *(d->spec.own ? &all->own_seconds : &all->student_seconds) += t->seconds + t->copied;
}
