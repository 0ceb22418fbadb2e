#include "proctor/unit_check.h"

#include <string.h>

#include "base/clock.h"
#include "measure/harness_race.h"
#include "proctor/unit_record.h"
#include "rundir/stage.h"
#include "supervise/driver_waits.h"

/* In a replay with threads, half of the runs are made one by one, but no more than this. The others
 * are made back to back. */
enum { REPLAY_ALONE = 100 };

/* So many failed cases of a unit are run again. Where none of them is a race, the kernel is plainly
 * wrong, and more of them would only cost time: seconds, with more ranks than cores. */
enum { REPEATED_MOST = 6 };

static bool is_replay(const struct unit_job *job)
{
    return job->selection->case_index >= 0;
}

/* In a replay: does the case only come before the selected one? */
static bool comes_before(const struct unit_job *job, const struct test_case *c)
{
    const struct selection *s = job->selection;
    return s->before && c->index < s->case_index &&
           case_is_checked(job->node->run.assignment, job->tier, c);
}

/* Is more than half of the unit's time left? Looking for races must leave the other half to what
 * has to be done, and must not fail a unit that is only slow with more threads than cores. */
static bool time_to_spare(const struct unit_job *job, const struct unit_state *s)
{
    const uint64_t half = (uint64_t)job->node->run.assignment->limits.unit_ms * 1000000 / 2;
    return clock_mono_ns() + half < s->deadline;
}

/* Did the case fail under a launch with one worker? */
static bool failed_alone(const struct unit_result *r, int case_index)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *cr = &r->cases[i];
        if (cr->case_index == case_index && launch_workers(cr->launch) == 1 &&
            cr->verdict != VERDICT_PASS)
            return true;
    }
    return false;
}

int unit_check_race(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    const struct test_case *c, struct finding *f, struct outcome *o)
{
    const int workers = launch_workers(s->spec.launch);
    const enum cause known = job->selection->cause;
    if (f->verdict == VERDICT_WRONG_ANSWER && driver_waits_left(&s->driver)) {
        f->cause = CAUSE_REQUESTS_LEFT;
        finding_describe(f);
        return 0;
    }
    if (f->verdict != VERDICT_WRONG_ANSWER || workers < 2 ||
        (known != CAUSE_NONE && known != CAUSE_RACE) || s->repeated >= REPEATED_MOST ||
        !time_to_spare(job, s))
        return 0;
    s->repeated++;
    int rc = harness_race_confirm(job->harness, &s->driver, c, failed_alone(r, c->index), f, o);
    s->race = s->race || f->cause == CAUSE_RACE;
    return rc;
}

/* A race between ranks. */
static void remark_order_of_messages(struct unit_state *s, const struct finding *f,
                                     struct unit_result *r)
{
    static const char words[] =
        "ranks take messages from any rank (MPI_ANY_SOURCE), and these come "
        "in any order: status.MPI_SOURCE tells who sent each";
    if (f->cause == CAUSE_RACE && s->spec.launch.threads == 1 && !strstr(r->remarks, words) &&
        driver_waits_any_source(&s->driver))
        unit_result_remark(r, "%s", words);
}

/* First runs one by one, then, with threads, runs back to back. */
static int run_case(const struct unit_job *job, struct unit_state *s, const struct case_task *task,
                    struct finding *f, struct outcome *o)
{
    const struct test_case *c = task->test_case;
    const bool replay = is_replay(job) && !comes_before(job, c),
               threads = s->spec.launch.threads > 1;
    const int runs = task->runs;
    struct check_task check = {&s->driver, c, task->first_run, runs, replay ? FAILURES_SHOWN : 0};
    struct race_task race = {.driver = &s->driver, .test_case = c, .first_run = task->first_run};
    if (replay && threads)
        check.runs = runs / 2 < REPLAY_ALONE ? (runs + 1) / 2 : REPLAY_ALONE;
    if (harness_check(job->harness, &check, f, o) != 0)
        return -1;
    if (replay && threads && check.runs < runs && f->failed_runs < FAILURES_SHOWN) {
        race.most = runs;
        return harness_race_search(job->harness, &race, f, o);
    }
    if (replay || !threads || s->race || f->verdict != VERDICT_PASS ||
        c->kind == CASE_PERFORMANCE || !time_to_spare(job, s))
        return 0;
    race.ms = job->node->run.assignment->correctness.stress_time_ms;
    return harness_race_search(job->harness, &race, f, o);
}

int unit_check_case(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                    const struct case_task *task, struct finding *f, struct err *e)
{
    struct outcome o;
    s->case_index = task->test_case->index;
    if (unit_driver_ensure(job, s, r, f, e) != 0)
        return -1;
    if (f->verdict != VERDICT_PASS)
        return 0;
    char shape[SHAPE_TEXT];
    kernel_size_text(job->tier->kernel, task->test_case->shape, shape);
    stage_step(job->node->run.assignment->limits.case_ms, "checking case %d (%s)",
               task->test_case->index, shape);
    const unsigned unread = job->harness->checks.unread;
    const int rc = run_case(job, s, task, f, &o);
    stage_step_end();
    if (rc != 0 || unit_check_race(job, s, r, task->test_case, f, &o) != 0)
        return unit_driver_lost(job, s, r, &o, f, e);
    if (f->verdict == VERDICT_PASS) {
        unit_record_output(r, &s->driver);
        return 0;
    }
    remark_order_of_messages(s, f, r);
    unit_record_failure(r, &s->driver, task->test_case->index);
    s->wrong = true;
    /* As with crashes: each further one may cost the limit of a case again. */
    s->unread = s->unread || job->harness->checks.unread > unread;
    s->failures += (int)(job->harness->checks.unread - unread);
    s->over = s->over || s->failures >= job->node->run.assignment->limits.failures;
    return 0;
}

static bool selected(const struct unit_job *job, const struct test_case *c, struct launch l)
{
    const struct assignment *a = job->node->run.assignment;
    const struct selection *s = job->selection;
    if (!is_replay(job))
        return case_is_checked(a, job->tier, c);
    return (comes_before(job, c) || (c->index == s->case_index && case_applies(a, job->tier, c))) &&
           (!s->launch.ranks || launch_equal(s->launch, l));
}

/* A replay does not look for the cause again. */
static void tell_known_cause(const struct unit_job *job, struct case_result *c)
{
    if (c->verdict == VERDICT_PASS || c->cause != CAUSE_NONE)
        return;
    c->cause = job->selection->cause;
    finding_describe_case(c);
}

int unit_check_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      const struct launch_task *l, struct err *e)
{
    const struct node_context *n = job->node;
    for (size_t i = 0; i < n->run.cases.count && !s->over; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        const bool replayed = is_replay(job) && !comes_before(job, c);
        const struct case_task task = {c, l->first_run,
                                       replayed ? job->selection->repeat : l->runs};
        struct finding f = FINDING_INIT;
        if (!selected(job, c, l->launch))
            continue;
        if (l->index < 0 && !is_replay(job) && !time_to_spare(job, s))
            break;
        if (unit_check_case(job, s, r, &task, &f, e) != 0)
            return -1;
        if (comes_before(job, c))
            continue;
        const struct case_key key = {c->index, 0, l->index, l->launch};
        struct case_result *cr = unit_record_case(r, &key, job->harness->cores.count);
        finding_store(&f, cr);
        if (f.verdict != VERDICT_PASS) {
            cr->output = r->last_output;
            r->last_output = NULL;
        }
        tell_known_cause(job, cr);
    }
    return 0;
}
