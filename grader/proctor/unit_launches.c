#include "proctor/unit_launches.h"

#include "base/strbuf.h"
#include "model/cases.h"
#include "proctor/shared_gpus.h"
#include "proctor/unit_check.h"
#include "proctor/unit_lock.h"
#include "proctor/unit_record.h"
#include "proctor/unit_timing.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"
#include "supervise/priority.h"

/* Where this launch runs from now on: on so many of the cores, those that are least busy now. */
static void choose_cores(struct harness *h, struct unit_state *s, int count)
{
    cores_quietest(&h->cores, count, &s->cores);
    s->spec.cpus = s->cores.id;
    s->spec.cpu_count = s->cores.count;
    if (driver_alive(&h->yardstick))
        driver_pin(&h->yardstick, s->cores.id, 1);
}

/* The tier's launch i with what was built. */
static struct timed_launch built_launch(const struct unit_job *job, const struct unit_state *s,
                                        unsigned i)
{
    return (struct timed_launch){
        .index = (int)i, .launch = tier_launch(job->tier, i), .library = s->spec.library};
}

static int check_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                        const struct launch_task *l, struct err *e)
{
    /* Between two launches, those who wait to time come first. */
    unit_lock_share(job, s, l->launch);
    s->spec.launch = l->launch;
    /* It takes a moment to find out which cores are busy. One worker uses any core until it is
     * timed. */
    choose_cores(job->harness, s,
                 launch_workers(l->launch) == 1 ? job->harness->cores.count
                                                : launch_workers(launch_on_node(l->launch)));
    priority_set(PRIORITY_TIMED);
    stage_enter("checking results");
    int rc = l->runs ? unit_check_launch(job, s, r, l, e) : 0;
    if (rc == 0 && l->sizes) {
        const struct timed_launch sizes = built_launch(job, s, (unsigned)l->index);
        rc = unit_timing_check_only(job, s, r, &sizes, e);
    }
    unit_driver_end(s, r);
    unit_lock_end(job, l->launch);
    priority_set(PRIORITY_USUAL);
    return rc;
}

/* Time all launches that have enough cores, while nothing else of this user works nearby. */
static int time_launches(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                         struct err *e)
{
    const unsigned all = tier_launch_count(job->tier);
    OWNED struct timed_launch *l = xcalloc(all + 1, sizeof *l);
    struct launch widest = launch_here(1, 1);
    size_t n = 0;
    for (unsigned i = 0; i < all; i++) {
        if (launch_oversubscribed(tier_launch(job->tier, i), job->harness->cores.count))
            continue;
        l[n++] = built_launch(job, s, i);
        widest = unit_lock_widest(widest, tier_launch(job->tier, i));
    }
    unit_lock_exclusive(job, s, widest);
    stage_enter("timing");
    priority_set(PRIORITY_TIMED);
    int rc = unit_timing_take(job, s, r, l, n, e);
    unit_lock_end(job, widest);
    if (rc == 0)
        unit_timing_profile(job, s, r);
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
        if (s->spec.launch.nodes > 1) /* events of other nodes are not counted */
            continue;
        choose_cores(job->harness, s, launch_workers(s->spec.launch));
        rc = unit_timing_count(job, s, r, (int)i);
    }
}

struct launch_task unit_launches_task(const struct unit_job *job, unsigned i)
{
    const struct assignment *a = job->node->run.assignment;
    const unsigned launches = tier_launch_count(job->tier);
    const bool stressed = i >= launches;
    return (struct launch_task){
        .index = stressed ? -1 : (int)i,
        .launch = stressed ? tier_stress(a, job->tier, i - launches) : tier_launch(job->tier, i),
        .first_run = job->selection->given ? 0 : case_first_run(i),
        .runs = stressed ? a->correctness.stress_repeat : a->correctness.repeat};
}

struct launch_task unit_launches_task_of(const struct unit_job *job, const struct case_result *c)
{
    const struct assignment *a = job->node->run.assignment;
    struct launch_task t = unit_launches_task(job, 0);
    for (unsigned i = 0; i < tier_check_count(a, job->tier); i++) {
        t = unit_launches_task(job, i);
        if (t.index == c->launch_index && launch_equal(t.launch, c->launch))
            break;
    }
    return t;
}

int unit_launches_run(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const struct tier *t = job->tier;
    const struct selection *sel = job->selection;
    if (sel->given && sel->launch.ranks) {
        const struct launch_task only = {.index = -1, .launch = sel->launch, .runs = sel->repeat};
        return check_launch(job, s, r, &only, e);
    }
    /* A self-test needs times of the reference alone, and a unit that is taken up again was checked
     * before. All timed results are checked. */
    const struct plan *p = job->node->run.plan;
    const bool timed_only =
        job->first || (p->self_test && p->submissions[job->unit->submission].is_reference);
    for (unsigned i = 0; i < tier_check_count(a, t) && !s->over && !timed_only; i++) {
        struct launch_task l = unit_launches_task(job, i);
        if (launch_shares_gpus(t, l.launch))
            continue;
        if (!tier_checks(t, i))
            l.runs = 0;
        l.sizes = l.index >= 0 && unit_is_timed(job) &&
                  launch_oversubscribed(l.launch, job->harness->cores.count);
        if ((l.runs || l.sizes) && check_launch(job, s, r, &l, e) != 0)
            return -1;
    }
    if (unit_is_timed(job) && !s->wrong && !s->over && time_launches(job, s, r, e) != 0)
        return -1;
    count_launches(job, s, r);
    return 0;
}
