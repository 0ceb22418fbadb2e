#include "proctor/unit_launches.h"

#include "model/cases.h"
#include "proctor/unit_check.h"
#include "proctor/unit_timing.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"
#include "supervise/priority.h"

/* Wait for the timing lock. The unit's limit does not run meanwhile. */
static void lock(struct timing_lock *l, struct unit_state *s,
                 uint64_t (*take)(struct timing_lock *))
{
    s->deadline += take(l);
    s->driver.unit_deadline = s->deadline;
}

/* Where this launch runs from now on: on so many of the cores, those that are least busy now. */
static void choose_cores(struct harness *h, struct unit_state *s, int count)
{
    cores_quietest(&h->cores, count, &s->cores);
    s->spec.cpus = s->cores.id;
    s->spec.cpu_count = s->cores.count;
    driver_pin(&h->yardstick, s->cores.id, 1);
}

/* Time a launch that passed its checks, while nothing else of this user works nearby. */
static int time_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       const struct launch_task *l, struct err *e)
{
    lock(&job->node->timing_lock, s, timing_lock_exclusive);
    stage_enter("timing");
    if (launch_workers(l->launch) == 1)
        choose_cores(job->harness, s, 1);
    if (driver_alive(&s->driver))
        driver_pin(&s->driver, s->cores.id, s->cores.count);
    struct launch_task timed = *l;
    timed.first_run += CASE_RUNS_PER_LAUNCH / 2;
    int rc = unit_timing_launch(job, s, r, &timed, e);
    timing_lock_downgrade(&job->node->timing_lock);
    if (rc == 0)
        unit_timing_profile(job, s, r);
    return rc;
}

static int run_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      const struct launch_task *l, struct err *e)
{
    /* Between two launches, those who wait to time come first. */
    lock(&job->node->timing_lock, s, timing_lock_share);
    s->spec.launch = l->launch;
    /* It takes a moment to find out which cores are busy. One worker uses any core until it is
     * timed. */
    choose_cores(job->harness, s,
                 launch_workers(l->launch) == 1 ? job->harness->cores.count
                                                : launch_workers(l->launch));
    priority_set(PRIORITY_TIMED);
    stage_enter("checking results");
    int rc = l->runs ? unit_check_launch(job, s, r, l, e) : 0;
    if (rc == 0 && l->timed && !s->wrong && !s->over)
        rc = time_launch(job, s, r, l, e);
    unit_driver_end(s, r);
    priority_set(PRIORITY_USUAL);
    return rc;
}

/* Events are counted last, when everything that decides the verdict has been seen. */
static void count_launches(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct tier *t = job->tier;
    int rc = 0;
    for (unsigned i = 0; i < tier_launch_count(t) && rc == 0; i++) {
        if (!job->node->run.assignment->performance.counters || s->wrong || s->over)
            return;
        s->spec.launch = tier_launch(t, i);
        choose_cores(job->harness, s, launch_workers(s->spec.launch));
        rc = unit_timing_count(job, s, r, (int)i);
    }
}

int unit_launches_run(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const struct tier *t = job->tier;
    /* A self-test needs times of the reference alone. All of its timed results are checked. */
    const struct plan *p = job->node->run.plan;
    const bool timed_only = p->self_test && p->submissions[job->unit->submission].is_reference;
    const struct selection *sel = job->selection;
    if (sel->given && sel->launch.ranks) {
        const struct launch_task only = {.index = -1, .launch = sel->launch, .runs = sel->repeat};
        return run_launch(job, s, r, &only, e);
    }
    const unsigned launches = tier_launch_count(t);
    const unsigned all = timed_only ? launches : tier_check_count(a, t);
    for (unsigned i = 0; i < all && !s->over; i++) {
        const bool stressed = i >= launches;
        const struct launch_task l = {.index = stressed ? -1 : (int)i,
                                      .launch = stressed ? tier_stress(a, t, i - launches)
                                                         : tier_launch(t, i),
                                      .first_run = sel->given ? 0 : case_first_run(i),
                                      .runs = timed_only ? 0
                                              : stressed ? a->correctness.stress_repeat
                                                         : a->correctness.repeat,
                                      .timed = !stressed && unit_is_timed(job)};
        if (run_launch(job, s, r, &l, e) != 0)
            return -1;
    }
    count_launches(job, s, r);
    return 0;
}
