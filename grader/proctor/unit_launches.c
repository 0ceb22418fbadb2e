#include "proctor/unit_launches.h"

#include "proctor/unit_check.h"
#include "proctor/unit_timing.h"
#include "supervise/driver_pin.h"

/* Each launch has so many numbers of values. */
enum { RUNS_PER_LAUNCH = 1000000 };

/* Take the timing lock. The unit's limit does not run while it waits. */
static void lock(struct unit_work *w, void (*take)(struct timing_lock *))
{
    struct timing_lock *l = &w->job->node->timing_lock;
    const uint64_t waited_before = l->waited_ns;
    take(l);
    w->deadline += l->waited_ns - waited_before;
    w->driver.unit_deadline = w->deadline;
}

/* Where this launch runs: on the cores that are least busy now, one for each worker. */
static void choose_cores(struct unit_work *w, struct launch l)
{
    cores_quietest(&w->harness->cores, l.ranks * l.threads, &w->cores);
    w->spec.launch = l;
    w->spec.cpus = w->cores.id;
    w->spec.cpu_count = w->cores.count;
    driver_pin(&w->harness->yardstick, w->cores.id, 1);
}

/* Time a launch that passed its checks, while nothing else of this user runs on the node. */
static int time_launch(struct unit_work *w, const struct launch_task *l, struct err *e)
{
    lock(w, timing_lock_exclusive);
    if (driver_alive(&w->driver) && l->launch.threads * l->launch.ranks == 1)
        choose_cores(w, l->launch);
    if (driver_alive(&w->driver))
        driver_pin(&w->driver, w->cores.id, w->cores.count);
    struct launch_task timed = *l;
    timed.first_run += RUNS_PER_LAUNCH / 2;
    int rc = unit_timing_launch(w, &timed, e);
    timing_lock_share(&w->job->node->timing_lock);
    if (rc == 0)
        unit_timing_profile(w);
    return rc;
}

static int run_launch(struct unit_work *w, const struct launch_task *l, struct err *e)
{
    lock(w, timing_lock_share);
    choose_cores(w, l->launch);
    int rc = unit_check_launch(w, l, e);
    if (rc == 0 && l->timed && !w->wrong && !w->over)
        rc = time_launch(w, l, e);
    unit_driver_end(w);
    return rc;
}

int unit_launches_run(struct unit_work *w, struct err *e)
{
    const struct assignment *a = w->job->node->run.assignment;
    const struct tier *t = w->job->tier;
    const unsigned launches = tier_launch_count(t), stress = tier_stress_count(a, t);
    for (unsigned i = 0; i < launches + stress && !w->over; i++) {
        const bool stressed = i >= launches;
        const struct launch_task l = {
            .index = stressed ? -1 : (int)i,
            .launch = stressed ? tier_stress(a, t, i - launches) : tier_launch(t, i),
            .first_run = (uint64_t)i * RUNS_PER_LAUNCH,
            .runs = stressed ? a->correctness.stress_repeat : a->correctness.repeat,
            .timed = !stressed && w->job->selection->case_index < 0};
        if (run_launch(w, &l, e) != 0)
            return -1;
    }
    return 0;
}
