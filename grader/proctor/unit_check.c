#include "proctor/unit_check.h"

#include "measure/harness_race.h"
#include "proctor/unit_record.h"

/* In a replay with threads, half of the runs are made one by one, but no more than this. The others
 * are made back to back. */
enum { REPLAY_ALONE = 100 };

static bool is_replay(const struct unit_work *w)
{
    return w->job->selection->case_index >= 0;
}

static int workers(const struct unit_work *w)
{
    return w->spec.launch.ranks * w->spec.launch.threads;
}

/* Did the case fail under a launch with one worker? */
static bool failed_alone(const struct unit_result *r, int case_index)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *cr = &r->cases[i];
        if (cr->case_index == case_index && cr->launch.ranks * cr->launch.threads == 1 &&
            cr->verdict != VERDICT_PASS)
            return true;
    }
    return false;
}

int unit_check_race(struct unit_work *w, const struct test_case *c, struct finding *f,
                    struct outcome *o)
{
    if (f->verdict != VERDICT_WRONG_ANSWER || workers(w) < 2 || !unit_time_to_spare(w))
        return 0;
    int rc =
        harness_race_confirm(w->harness, &w->driver, c, failed_alone(w->result, c->index), f, o);
    w->race = w->race || f->race;
    return rc;
}

/* First runs one by one, then, with threads, runs back to back. */
static int run_case(struct unit_work *w, const struct test_case *c, uint64_t first_run, int runs,
                    struct finding *f, struct outcome *o)
{
    const bool replay = is_replay(w), threads = w->spec.launch.threads > 1;
    struct check_task check = {&w->driver, c, first_run, runs};
    struct race_task race = {.driver = &w->driver, .test_case = c, .first_run = first_run};
    if (replay && threads)
        check.runs = runs / 2 < REPLAY_ALONE ? (runs + 1) / 2 : REPLAY_ALONE;
    if (harness_check(w->harness, &check, f, o) != 0)
        return -1;
    if (replay && check.runs < runs) {
        race.most = runs;
        return harness_race_search(w->harness, &race, f, o);
    }
    if (replay || !threads || w->race || f->verdict != VERDICT_PASS ||
        c->kind == CASE_PERFORMANCE || !unit_time_to_spare(w))
        return 0;
    race.ms = w->job->node->run.assignment->correctness.stress_time_ms;
    return harness_race_search(w->harness, &race, f, o);
}

int unit_check_case(struct unit_work *w, const struct test_case *c, uint64_t first_run, int runs,
                    struct finding *f, struct err *e)
{
    struct outcome o;
    if (unit_driver_ensure(w, f, e) != 0)
        return -1;
    if (f->verdict != VERDICT_PASS)
        return 0;
    if (run_case(w, c, first_run, runs, f, &o) != 0 || unit_check_race(w, c, f, &o) != 0)
        return unit_driver_lost(w, &o, f, e);
    if (f->verdict != VERDICT_PASS)
        w->wrong = true;
    return 0;
}

static bool selected(const struct unit_work *w, const struct test_case *c, struct launch l)
{
    const struct selection *s = w->job->selection;
    if (!is_replay(w))
        return c->kind != CASE_PERFORMANCE;
    return c->index == s->case_index &&
           (!s->launch.ranks || (s->launch.ranks == l.ranks && s->launch.threads == l.threads));
}

int unit_check_launch(struct unit_work *w, const struct launch_task *l, struct err *e)
{
    const struct node_context *n = w->job->node;
    const int runs = is_replay(w) ? w->job->selection->repeat : l->runs;
    for (size_t i = 0; i < n->run.cases.count && !w->over; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        struct finding f = FINDING_INIT;
        if (!selected(w, c, l->launch) || !case_applies(n->run.assignment, w->job->tier, c))
            continue;
        if (unit_check_case(w, c, l->first_run, runs, &f, e) != 0)
            return -1;
        const struct case_key key = {c->index, 0, l->index, l->launch};
        finding_store(&f, unit_record_case(w->result, &key, w->harness->cores.count));
    }
    return 0;
}
