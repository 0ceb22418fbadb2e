#include "proctor/unit_second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/install.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "build/sanitizer_report.h"
#include "measure/harness_race.h"
#include "model/cases.h"
#include "proctor/second_build.h"
#include "proctor/second_cause.h"
#include "proctor/second_choice.h"
#include "proctor/second_device.h"
#include "proctor/second_remarks.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_record.h"
#include "rundir/stage.h"
#include "supervise/driver_limits.h"
#include "supervise/driver_start.h"

/* Of all cases together; of one call; of further runs of a case in search of a race. On a device,
 * of the cases of one check, and of a call, the first of which is translated. */
enum { LOOK_MS = 1000, CALL_MS = 1000, RACE_MS = 3, CHECK_MS = 400, DEVICE_CALL_MS = 5000 };

enum { CAUSE_MOST = 200, MESSAGE_MOST = 300 };

struct look {
    const struct unit_job *job;
    struct unit_result *r;
    const struct second_build *build;
    const char *dir;                         /* of the build */
    const struct second_device_check *check; /* NULL: on the host */
    const struct unit_homes *homes;
    struct driver_process driver;
    struct driver_spec spec;
    enum verdict before;      /* of the unit's cases */
    uint64_t until, deadline; /* of the cases, of the unit; CLOCK_MONOTONIC ns */
    struct second_remarks remarks;
    unsigned cases;
    bool stop;      /* something was found, or this build can run no longer */
    bool hung;      /* it does not come back */
    bool explained; /* a race that the unit's cases showed, or that a check has shown */
    char why[120];
};

/* --- findings --------------------------------------------------------------------------------- */

/* "case 6 (17x33x1, full values, 2 threads): C[0][32]: expected ..." */
static char *describe(const struct look *k, const struct test_case *c, const struct finding *f)
{
    char shape[SHAPE_TEXT], workers[RECORD_WORKERS];
    kernel_size_text(k->job->tier->kernel, c->shape, shape);
    unit_record_workers(k->job->tier, k->spec.launch, workers);
    return xasprintf("case %d (%s, %s values%s): %s", c->index, shape,
                     kernel_values_name(k->job->tier->kernel, c->values), workers, f->message);
}

/* Where nothing more is known. */
static const char *usual_cause(const struct wrong_case *w)
{
    if (launch_kind_has(w->job->tier->kind, KIND_DEVICE))
        return "a race, or memory that was never set";
    if (launch_workers(w->spec->launch) == 1)
        return "something depends on how the compiler translates";
    return second_alone(w) == VERDICT_WRONG_ANSWER
               ? "no race, since it is also wrong with one worker: most often a variable that is "
                 "not set, such as the copies that private(...) makes"
               : "a race, or something else that depends on how the compiler translates";
}

static char *wrong_results(const struct look *k)
{
    return xasprintf("%s gives wrong results",
                     k->check ? k->check->wrong : "a build without optimisation (-O0)");
}

static void add_failure(const struct look *k, const struct test_case *c, const struct finding *f,
                        const char *what, const char *cause)
{
    const struct case_key key = {c->index, 0, -1, k->spec.launch};
    struct case_result *cr = unit_record_case(k->r, &key, k->job->harness->cores.count);
    finding_store(f, cr);
    snprintf(cr->message, sizeof cr->message, "%s: %.*s; %.*s", what, CAUSE_MOST, cause,
             MESSAGE_MOST, f->message);
}

/* End the driver. compute-sanitizer has written its report then. */
static void end_driver(struct look *k)
{
    if (!driver_alive(&k->driver))
        return;
    driver_end(&k->driver);
    OWNED char *sources = xasprintf("%s/src", k->dir);
    if (k->check && !k->check->late)
        second_device_remark(k->homes, k->check->name, sources, k->r);
}

static struct wrong_case wrong_case(const struct look *k, const struct test_case *c,
                                    const struct finding *f)
{
    const struct case_result *first = unit_result_first_failure(k->r);
    return (struct wrong_case){
        k->job, k->build, &k->spec, c, f, k->deadline, first && first->cause == CAUSE_RACE};
}

/* What the build did, and why: it decides where the assignment says so. */
static void tell(struct look *k, const struct test_case *c, const struct finding *f,
                 const char *what, const char *cause)
{
    OWNED char *text = describe(k, c, f);
    if (k->job->node->run.assignment->sanitized == SANITIZED_VERDICT)
        add_failure(k, c, f, what, cause);
    else
        unit_result_remark(k->r, "%s: %s. %s", what, cause, text);
}

/* That a unit with wrong results also has them here is no news, but the cause is. */
static void wrong_result(struct look *k, const struct test_case *c, struct finding *f)
{
    const struct case_result *first = unit_result_first_failure(k->r);
    const struct wrong_case w = wrong_case(k, c, f);
    end_driver(k);
    if (k->explained)
        return;
    /* What was never set may hold something else each time. */
    if (f->cause == CAUSE_RACE && second_alone(&w) == VERDICT_WRONG_ANSWER) {
        f->cause = CAUSE_NONE;
        finding_describe(f);
    }
    OWNED char *cause = !k->check         ? second_cause(&w)
                        : k->check->cause ? xstrdup(k->check->cause)
                                          : NULL;
    OWNED char *what = wrong_results(k);
    k->explained = cause;
    const bool known = first && first->cause != CAUSE_NONE && first->cause != CAUSE_RACE;
    if (k->before == VERDICT_PASS)
        tell(k, c, f, what, cause ? cause : usual_cause(&w));
    else if (k->before == VERDICT_WRONG_ANSWER && cause && !known)
        unit_result_remark(k->r, "%s%s", w.race_is_told ? "" : "probably ", cause);
}

/* A race ends a process as often as it spoils a result. False: this was none, as far as is known.
 */
static bool race_ended(struct look *k, const struct test_case *c, enum verdict v,
                       const char *message)
{
    struct finding f = FINDING_INIT;
    f.verdict = v;
    snprintf(f.message, sizeof f.message, "%s", message);
    const struct wrong_case w = wrong_case(k, c, &f);
    OWNED char *race = k->before == VERDICT_PASS ? second_race(&w) : NULL;
    const bool told = race;
    if (told)
        tell(k, c, &f, "a build without optimisation (-O0) fails", race);
    return told;
}

/* The driver is lost: why? */
static void lost(struct look *k, const struct test_case *c, const struct finding *found,
                 const struct outcome *o)
{
    struct memory_error m;
    const struct kernel *kernel = k->job->harness->kernel;
    const struct pg_fault *f = &o->fault;
    char place[SECOND_PLACE], message[200];
    k->stop = true;
    k->hung = o->kind == OUTCOME_CASE_TIMEOUT || o->kind == OUTCOME_UNIT_TIMEOUT;
    driver_await_output(&k->driver);
    const bool memory = o->kind == OUTCOME_DIED &&
                        sanitizer_memory_error(k->driver.output.s, k->build->library, &m) &&
                        (!m.harmless || k->before != VERDICT_PASS);
    if (memory)
        second_remark_memory(&k->remarks, &m);
    second_remark_indices(&k->remarks, k->driver.output.s);
    if (memory)
        return;
    const enum verdict v = outcome_verdict(o, kernel, k->spec.limits, message, sizeof message);
    snprintf(k->why, sizeof k->why, "; ended: %.100s", message);
    if (found->verdict == VERDICT_WRONG_ANSWER ||
        (o->kind == OUTCOME_DIED && race_ended(k, c, v, message)))
        return;
    if (o->kind != OUTCOME_DIED || !o->has_fault || f->area < 0 || f->side == PG_ELSEWHERE ||
        k->before != VERDICT_PASS)
        return;
    second_place(&k->remarks, f->place, PG_PLACES, place);
    unit_result_remark(k->r, "%s%sa build without optimisation (-O0) %s", place, *place ? ": " : "",
                       message);
}

/* --- cases ------------------------------------------------------------------------------------ */

static void look_at(struct look *k, const struct test_case *c)
{
    struct harness *h = k->job->harness;
    const struct assignment *a = k->job->node->run.assignment;
    const bool threads = k->spec.launch.threads > 1;
    const uint64_t first_run = case_first_run(tier_check_count(a, k->job->tier));
    const struct check_task check = {&k->driver, c, first_run, 1, 0};
    const struct race_task more = {
        .driver = &k->driver, .test_case = c, .first_run = first_run, .ms = RACE_MS};
    struct finding f = FINDING_INIT;
    struct outcome o = {0};
    int rc = harness_check(h, &check, &f, &o);
    if (rc == 0)
        second_remark_indices(&k->remarks, k->driver.output.s);
    if (rc == 0 && threads && f.verdict == VERDICT_PASS)
        rc = harness_race_search(h, &more, &f, &o);
    if (rc == 0 && f.verdict == VERDICT_WRONG_ANSWER)
        second_remark_overflows(&k->remarks, &k->driver);
    if (rc == 0 && f.verdict == VERDICT_WRONG_ANSWER && launch_workers(k->spec.launch) > 1)
        rc = harness_race_confirm(h, &k->driver, c, false, &f, &o);
    if (rc != 0)
        lost(k, c, &f, &o);
    k->cases++;
    /* What comes late may also change the output after the work of the given stream is done. */
    if (k->check && k->check->late && f.verdict == VERDICT_CLOCK_MISMATCH)
        f.verdict = VERDICT_WRONG_ANSWER;
    if (f.verdict != VERDICT_WRONG_ANSWER)
        return;
    k->stop = true;
    wrong_result(k, c, &f);
}

/* What became of it; of each check of a device. */
static void record(struct look *k, const char *what)
{
    const char *before = k->r->sanitized;
    const bool first = !*before;
    unit_record_text(&k->r->sanitized,
                     xasprintf("%s%s%s%s%s", first ? k->build->what : before, first ? ": " : "; ",
                               k->check ? k->check->name : "", k->check ? " " : "", what));
}

static void look_at_cases(struct look *k)
{
    size_t count;
    const struct test_case **c = second_cases(k->job, &count);
    for (size_t i = 0; i < count && !k->stop && clock_mono_ns() < k->until; i++)
        look_at(k, c[i]);
    char launch[LAUNCH_TEXT];
    launch_format(k->spec.launch, launch);
    OWNED char *ran = xasprintf("%u of %zu %s, %s%s", k->cases, count,
                                plural(count, "case", "cases"), launch, k->why);
    record(k, ran);
    free(c);
}

/* --- the second build ------------------------------------------------------------------------- */

static enum verdict worst_of(const struct unit_result *r)
{
    enum verdict v = VERDICT_PASS;
    for (unsigned i = 0; i < r->cases_count; i++)
        v = verdict_worse(v, r->cases[i].verdict);
    return v;
}

/* Run the cases with its driver, which was started. */
static void look_until(struct look *k, int look_ms, int64_t call_ms)
{
    struct harness *h = k->job->harness;
    const int64_t usual = h->case_ms;
    k->until = clock_mono_ns() + (uint64_t)look_ms * 1000000;
    h->case_ms = usual < call_ms ? usual : call_ms;
    look_at_cases(k);
    h->case_ms = usual;
}

/* Start its driver and run the cases. */
static void look(struct look *k, struct unit_state *s, char *const *tool)
{
    struct harness *h = k->job->harness;
    struct outcome o;
    k->spec = unit_driver_spec(k->job, k->build->library, k->homes);
    k->spec.launch = second_launch(k->job);
    k->spec.cpus = h->cores.id;
    k->spec.cpu_count = h->cores.count;
    /* MPI's own memory need not be disturbed, nor that of a tool or of a device. */
    k->spec.looking = k->spec.launcher || k->check ? LOOKING_NOT : LOOKING_FILLED;
    OWNED char *late = install_path("libexec/paragrade/late-streams.so");
    k->spec.preload = k->check && k->check->late ? late : k->build->preload;
    k->spec.tool = tool;
    k->spec.late = k->check ? k->check->late : LATE_NONE;
    unit_driver_start_clean(&k->driver, &k->spec, s->deadline, &o);
    s->protections &= k->driver.protections;
    if (o.kind == OUTCOME_OK) {
        look_until(k, k->check ? CHECK_MS : LOOK_MS, k->check ? DEVICE_CALL_MS : CALL_MS);
    } else {
        OWNED char *why = xasprintf("did not start: %s", o.text);
        record(k, why);
        k->hung = true;
    }
    end_driver(k);
}

static void look_once(struct look *k, struct unit_state *s, const char *tool)
{
    k->stop = false;
    k->cases = 0;
    k->why[0] = '\0';
    OWNED_TEXTS char **words =
        k->check && !k->check->late ? second_device_words(tool, k->check->name, k->homes) : NULL;
    look(k, s, words);
}

/* tool: compute-sanitizer, or NULL. One check after the other, each with a driver of its own. */
static void look_at_device(struct look *k, struct unit_state *s, const char *tool)
{
    const struct second_device_check *c = second_device_checks;
    for (; c->name && !k->hung; c++) {
        k->check = c;
        /* Wrong results would also be wrong in late streams. */
        if (c->late ? k->before == VERDICT_PASS : tool != NULL)
            look_once(k, s, tool);
    }
    k->check = NULL;
    if (!tool)
        record(k, "there is no compute-sanitizer");
}

/* No run shows this one with this compiler. */
static void remark_tasks(const struct look *k)
{
    OWNED char *said = k->build->library
                           ? second_task_variables(k->job, k->build->library, k->deadline)
                           : xstrdup("");
    if (*said)
        unit_result_remark(k->r, "%s", said);
}

/* The result is the same in each run, but for the order of threads. */
static void remark_lost(const struct look *k)
{
    if (k->before != VERDICT_WRONG_ANSWER || second_launch(k->job).threads < 2)
        return;
    char *said = second_lost_writes(k->job, k->deadline);
    if (*said)
        unit_result_remark(k->r, "%s", said);
    free(said);
}

/* The second build need not show a race again that the unit's cases have shown. */
static void explain_race(const struct look *k)
{
    const struct case_result *first = unit_result_first_failure(k->r);
    if (k->explained || !first || first->cause != CAUSE_RACE)
        return;
    OWNED char *said = second_known_race(k->job, second_launch(k->job), true, k->deadline);
    if (said)
        unit_result_remark(k->r, "%s", said);
}

void unit_second_look(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const enum verdict before = worst_of(r);
    const bool device = launch_kind_has(job->tier->kind, KIND_DEVICE);
    struct unit_homes homes;
    FREED_BY(second_build_free) struct second_build b = {0};
    struct err ignored = ERR_INIT;
    if (!second_is_wanted(job, s->deadline, before))
        return;
    char *tool = device ? second_device_tool() : NULL;
    if (device && !tool && before != VERDICT_PASS) { /* then no check is left */
        unit_record_text(&r->sanitized, xstrdup("there is no compute-sanitizer"));
        return;
    }
    stage_enter("looking for hidden mistakes");
    OWNED char *dir = xasprintf("%s/second", job->dir);
    struct look k = {.job = job,
                     .r = r,
                     .build = &b,
                     .dir = dir,
                     .homes = &homes,
                     .driver = DRIVER_PROCESS_INIT,
                     .before = before,
                     .deadline = s->deadline};
    const uint64_t waited = job->node->timing_lock.waited_ns;
    second_build_make(job, dir,
                      device                                   ? SECOND_DEVICE
                      : launch_workers(second_launch(job)) > 1 ? SECOND_TOGETHER
                                                               : SECOND_ALONE,
                      s->deadline, &b);
    s->deadline += job->node->timing_lock.waited_ns - waited;
    k.deadline = s->deadline;
    k.remarks = (struct second_remarks){job, r, dir, b.library, before, 0};
    r->protections &= (int)b.protections;
    if (!b.library)
        unit_record_text(&r->sanitized, xstrdup(b.what));
    else if (unit_homes_make(&homes, job, "second-home", &ignored) == 0)
        device ? look_at_device(&k, s, tool) : look_once(&k, s, NULL);
    if (b.library)
        unit_homes_remove(&homes);
    remark_tasks(&k);
    remark_lost(&k);
    explain_race(&k);
    free(tool);
}
