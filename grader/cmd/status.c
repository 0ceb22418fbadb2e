#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/json.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "execute/forecast.h"
#include "execute/unit_grid.h"
#include "rundir/attempts.h"
#include "rundir/claim.h"
#include "rundir/lock.h"
#include "rundir/node_measuring.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"
#include "rundir/resume_options.h"
#include "rundir/run.h"
#include "rundir/stage.h"
#include "slurm/array.h"
#include "slurm/query.h"
#include "slurm/work.h"

enum { LINES_BESIDE = 10 }; /* of the terminal: what is printed beside the grid */

struct overview {
    const struct slurm_job **owner; /* of each unit: the last array that it is in; NULL: none */
    struct unit_grid grid;
    unsigned total[STATES];
    unsigned verdict[VERDICT_COUNT];
    double unit_seconds; /* mean of the results; 0: there are none */
    struct slurm_jobs jobs;
    struct slurm_list queue;
    enum slurm_answer slurm;
    char why[SLURM_WHY];
    bool locked;       /* a process is executing the run */
    bool report_waits; /* a report job is in the queue */
    unsigned held;     /* elements that Slurm will not start */
    struct node_measuring_list measuring;
};

static enum unit_state state_of(const struct overview *o, unsigned unit)
{
    return unit_state_of(o->grid.unit[unit]);
}

/* `unit`: its place in the array. */
static enum unit_stage slurm_stage(const struct run *r, const struct overview *o,
                                   const struct slurm_job *j, unsigned unit)
{
    const char *id = r->plan->units[j->unit[unit]].id;
    char tag[CLAIM_TAG];
    claim_tag(j->number, tag);
    if (attempt_has_failure(r->dir, id, tag))
        return UNIT_TO_DO;
    const long task = claim_task(r->dir, j->number, id);
    if (o->slurm != SLURM_ANSWERED) /* from files alone */
        return task >= 0 ? UNIT_RUNS : UNIT_QUEUED;
    const struct tracked t = {.array = j->number, .job = j->job, .task = task};
    if (work_find(&o->jobs, &o->queue, &t))
        return task >= 0 ? UNIT_RUNS : UNIT_QUEUED;
    return o->locked ? UNIT_TO_DO : UNIT_LOST;
}

static void find_states(const struct run *r, struct overview *o)
{
    const struct plan *p = r->plan;
    FREED_BY(resume_options_free) struct resume_options options = {0};
    struct err ignored = ERR_INIT;
    const bool known = resume_options_load(r->dir, &options, &ignored) == 0;
    o->owner = xcalloc(p->units_count + 1, sizeof *o->owner);
    for (unsigned i = 0; i < p->units_count; i++) {
        const struct unit *u = &p->units[i];
        struct unit_now *now = &o->grid.unit[i];
        if (u->preset || attempt_has_result(r->dir, u->id))
            continue;
        if (known && resume_options_ended(r, &options, u->id, NULL)) {
            *now = (struct unit_now){UNIT_DONE, VERDICT_INFRA_ERROR};
            continue;
        }
        now->stage = UNIT_TO_DO;
        if (!o->jobs.count && o->locked && attempt_under_way(r->dir, u->id, "local"))
            now->stage = UNIT_RUNS;
    }
    /* Repeated units are in later arrays as well: the last array decides. */
    for (unsigned k = 0; k < o->jobs.count; k++) {
        const struct slurm_job *j = &o->jobs.item[k];
        for (unsigned t = 0; t < j->count; t++)
            if (j->unit[t] >= 0)
                o->owner[j->unit[t]] = j;
        for (unsigned t = 0; j->job && t < j->count; t++)
            if (j->unit[t] >= 0 && state_of(o, (unsigned)j->unit[t]) != STATE_DONE)
                o->grid.unit[j->unit[t]].stage = slurm_stage(r, o, j, t);
    }
    for (unsigned i = 0; i < p->units_count; i++)
        o->total[state_of(o, i)]++;
    for (unsigned k = 0; k < o->jobs.count; k++)
        if (o->jobs.item[k].is_report && slurm_list_find(&o->queue, o->jobs.item[k].job, -1))
            o->report_waits = true;
    for (size_t k = 0; k < o->queue.count; k++)
        o->held += work_array_of(&o->jobs, &o->queue.item[k]) && slurm_is_held(&o->queue.item[k]);
}

/* Is the job alive that left a notice? Proctors that were killed leave theirs behind. */
static bool measures(const struct overview *o, const struct node_measuring *m)
{
    long job, task;
    if (sscanf(m->job, "%ld_%ld", &job, &task) != 2)
        return o->locked;
    return o->slurm != SLURM_ANSWERED || slurm_list_find(&o->queue, job, task) != NULL;
}

static void count_verdicts(const struct run *r, struct overview *o)
{
    double sum = 0;
    unsigned timed = 0;
    char stage[STAGE_TEXT];
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        struct unit_now *now = &o->grid.unit[i];
        if (u->preset) {
            o->verdict[u->verdict]++;
            continue;
        }
        if (now->stage == UNIT_RUNS) {
            stage_of_unit(r->dir, u->id, stage, sizeof stage);
            now->stage = unit_stage_of_words(stage);
        }
        if (state_of(o, i) != STATE_DONE)
            continue;
        if (now->verdict == VERDICT_INFRA_ERROR) { /* its attempts have all failed */
            o->verdict[VERDICT_INFRA_ERROR]++;
            continue;
        }
        OWNED char *path = rundir_result(r->dir, u->id);
        struct unit_result *res = NULL;
        now->stage = UNIT_NO_VERDICT;
        if (unit_result_load(path, &res, NULL) == 0) {
            *now = (struct unit_now){UNIT_DONE, res->verdict};
            o->verdict[res->verdict]++;
            sum += res->total_seconds;
            timed++;
        }
        unit_result_free(res);
    }
    o->unit_seconds = timed ? sum / timed : 0;
}

static double seconds_left(const struct overview *o)
{
    return forecast_left(o->unit_seconds, o->total[STATE_RUNNING],
                         (size_t)o->total[STATE_QUEUED] + o->total[STATE_WAITING]);
}

static int read_overview(const struct run *r, struct overview *o, struct err *e)
{
    o->locked = run_is_locked(r->dir);
    o->slurm = SLURM_ANSWERED;
    if (slurm_jobs_load(r->dir, r->plan, &o->jobs, e) != 0)
        return -1;
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    for (unsigned i = 0; i < o->jobs.count; i++)
        strbuf_addf(&names, "%s%s", names.len ? "," : "", o->jobs.item[i].name);
    if (names.len)
        o->slurm = slurm_queue(names.s, &o->queue, o->why);
    unit_grid_init(&o->grid, r, NULL, 0);
    find_states(r, o);
    count_verdicts(r, o);
    node_measuring_load(r->dir, &o->measuring);
    return 0;
}

/* Of the units that no later array has. Returns how many; 0: the array is superseded. */
static unsigned count_array(const struct overview *o, const struct slurm_job *j, unsigned n[STATES])
{
    unsigned count = 0;
    memset(n, 0, STATES * sizeof *n);
    for (unsigned t = 0; t < j->count; t++)
        if (j->unit[t] >= 0 && o->owner[j->unit[t]] == j) {
            n[state_of(o, (unsigned)j->unit[t])]++;
            count++;
        }
    return count;
}

/* Why elements of an array wait, in Slurm's word; NULL: none waits, or Slurm does not say. */
static const char *waits_for(const struct overview *o, const struct slurm_job *j)
{
    for (size_t i = 0; i < o->queue.count; i++) {
        const struct slurm_element *x = &o->queue.item[i];
        if (strcmp(x->state, "PENDING") == 0 && *x->reason && work_array_of(&o->jobs, x) == j)
            return x->reason;
    }
    return NULL;
}

/* --- for people --------------------------------------------------------------------------- */

static void print_states(const struct run *r, const struct overview *o)
{
    OWNED char *path = display_path(r->dir);
    const unsigned known = plan_presets(r->plan), all = r->plan->units_count - known;
    const bool ended =
        !o->locked && !o->report_waits && o->total[STATE_DONE] == r->plan->units_count;
    OWNED char *beside = known ? xasprintf(", %u known without running", known) : xstrdup("");
    term_print(stdout, 2, "%s: %u of %u %s done%s%s\n", path, o->total[STATE_DONE] - known, all,
               plural(all, "unit", "units"), beside,
               o->locked         ? "; a process drives the run"
               : o->report_waits ? "; a job that waits for the others writes the reports"
               : ended           ? ""
                                 : "; no process drives the run");
    for (int s = 0; s < STATES && !ended; s++)
        if (o->total[s] - (s == STATE_DONE ? known : 0))
            term_print(stdout, 19, "  %s%-8s%s %6u  %s\n", term_on(stdout, unit_states[s].style),
                       unit_states[s].name, term_off(stdout),
                       o->total[s] - (s == STATE_DONE ? known : 0), unit_states[s].meaning);
    for (unsigned i = 0; i < o->measuring.count; i++) {
        const struct node_measuring *m = &o->measuring.item[i];
        if (measures(o, m))
            term_print(stdout, 2,
                       "node %s is being measured (job %s, since %s); then its units start\n",
                       m->node, m->job, m->since);
    }
    if (seconds_left(o) >= 0)
        term_print(stdout, 2,
                   "about %.0f %s left: a unit takes %.1f s, the mean so far; %u %s now\n",
                   seconds_left(o) < 120 ? seconds_left(o) : seconds_left(o) / 60,
                   seconds_left(o) < 120 ? "s" : "min", o->unit_seconds, o->total[STATE_RUNNING],
                   plural(o->total[STATE_RUNNING], "runs", "run"));
    FREED_BY(strbuf_free) struct strbuf verdicts = STRBUF_INIT;
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (o->verdict[v])
            strbuf_addf(&verdicts, "%s%s %u", verdicts.len ? ", " : "",
                        verdict_name((enum verdict)v), o->verdict[v]);
    term_print(stdout, 2, "verdicts: %s\n", verdicts.len ? verdicts.s : "none yet");
}

/* Which units are where. Programs have it in the JSON document. */
static void print_grid(const struct overview *o)
{
    FREED_BY(strbuf_free) struct strbuf picture = STRBUF_INIT;
    if (term_columns(stdout))
        unit_grid_draw(&o->grid, stdout, term_columns(stdout), term_lines(stdout) - LINES_BESIDE,
                       &picture);
    if (picture.len)
        printf("\n%s", picture.s);
}

static void print_arrays(const struct overview *o)
{
    struct term_table *t = term_table_new("job arrays");
    term_table_column(t, "array", TERM_LEFT);
    term_table_column(t, "job", TERM_RIGHT);
    term_table_column(t, "units", TERM_RIGHT);
    for (int s = 0; s < STATES; s++)
        term_table_column(t, unit_states[s].name, TERM_RIGHT);
    for (unsigned i = 0; i < o->jobs.count; i++) {
        const struct slurm_job *j = &o->jobs.item[i];
        unsigned n[STATES];
        const unsigned count = j->is_report ? 0 : count_array(o, j, n);
        if (!count)
            continue;
        term_table_cell(t, TERM_PLAIN, "%d", j->number);
        if (j->job)
            term_table_cell(t, TERM_PLAIN, "%ld", j->job);
        else
            term_table_cell(t, TERM_DIM, "unknown");
        term_table_cell(t, TERM_PLAIN, "%u", count);
        for (int s = 0; s < STATES; s++)
            term_table_cell(t, n[s] ? unit_states[s].style : TERM_DIM, "%u", n[s]);
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
}

/* Each reason that is not an ordinary one, once. */
static void print_reasons(const struct overview *o)
{
    const char *last = "";
    for (unsigned i = 0; i < o->jobs.count; i++) {
        const char *reason = waits_for(o, &o->jobs.item[i]);
        if (reason && !slurm_ordinary_reason(reason) && strcmp(reason, last) != 0)
            term_print(stdout, 2, "Slurm keeps jobs waiting: %s\n", last = reason);
    }
}

static void print_text(const struct run *r, const struct overview *o)
{
    print_states(r, o);
    if (o->jobs.count)
        print_arrays(o);
    print_reasons(o);
    print_grid(o);
    if (o->slurm != SLURM_ANSWERED)
        term_print(stdout, 0,
                   "Slurm does not answer (%s): running and queued are what the files say.\n",
                   o->why);
    const bool nobody_ends_them = o->held && !o->locked;
    if (nobody_ends_them)
        term_print(stdout, 0,
                   "Slurm holds %u %s that a node could not start. The job that writes the reports "
                   "would wait for %s forever.\n",
                   o->held, plural(o->held, "job", "jobs"), plural(o->held, "it", "them"));
    if (nobody_ends_them ||
        (!o->locked && !o->report_waits && o->total[STATE_DONE] < r->plan->units_count)) {
        OWNED char *path = display_path(r->dir);
        printf("to continue: paragrade resume %s\n", path);
    }
}

/* --- for programs --------------------------------------------------------------------------- */

static int print_json(const struct run *r, const struct overview *o, struct err *e)
{
    json_t *units = json_pack("{s:i}", "total", (int)r->plan->units_count);
    json_t *each = json_array();
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        json_array_append_new(each,
                              json_pack("{s:s, s:o, s:s, s:s, s:s}", "unit", u->id, "submission",
                                        json_printable(r->plan->submissions[u->submission].name),
                                        "tier", r->assignment->tiers[u->tier].name, "state",
                                        unit_states[state_of(o, i)].name, "now",
                                        unit_now_name(o->grid.unit[i])));
    }
    json_t *verdicts = json_object(), *arrays = json_array(), *dir = json_string(r->dir);
    json_t *measuring = json_array();
    for (unsigned i = 0; i < o->measuring.count; i++) {
        const struct node_measuring *m = &o->measuring.item[i];
        if (measures(o, m))
            json_array_append_new(measuring,
                                  json_pack("{s:s, s:s, s:s, s:s}", "node", m->node, "yardstick",
                                            m->yardstick, "job", m->job, "since", m->since));
    }
    for (int s = 0; s < STATES; s++)
        json_object_set_new(units, unit_states[s].name, json_integer(o->total[s]));
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (o->verdict[v])
            json_object_set_new(verdicts, verdict_name((enum verdict)v),
                                json_integer(o->verdict[v]));
    for (unsigned i = 0; i < o->jobs.count; i++) {
        const struct slurm_job *j = &o->jobs.item[i];
        unsigned n[STATES];
        const unsigned count = j->is_report ? 0 : count_array(o, j, n);
        if (!count)
            continue;
        json_t *a =
            json_pack("{s:i, s:I, s:s, s:i, s:s?}", "array", j->number, "job", (json_int_t)j->job,
                      "name", j->name, "units", (int)count, "reason", waits_for(o, j));
        for (int s = 0; s < STATES; s++)
            json_object_set_new(a, unit_states[s].name, json_integer(n[s]));
        json_array_append_new(arrays, a);
    }
    const double left = seconds_left(o);
    json_t *all = json_pack("{s:s, s:o, s:b, s:b, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
                            "run", r->plan->run_id, "dir", dir ? dir : json_null(), "running",
                            o->locked, "report_job", o->report_waits, "held", (int)o->held, "slurm",
                            !o->jobs.count               ? "unused"
                            : o->slurm == SLURM_ANSWERED ? "answers"
                                                         : "silent",
                            "slurm_message", o->slurm == SLURM_ANSWERED ? "" : o->why, "units",
                            units, "verdicts", verdicts, "arrays", arrays, "measuring", measuring,
                            "seconds_left", left < 0 ? json_null() : json_real(left), "each", each);
    return json_print(stdout, all, e);
}

/* --- the command ---------------------------------------------------------------------------- */

static int run(const struct options *given, struct run *r)
{
    struct err e = ERR_INIT;
    struct overview o = {0};
    int rc = read_overview(r, &o, &e), code;
    if (rc == 0 && given->json)
        rc = print_json(r, &o, &e);
    else if (rc == 0)
        print_text(r, &o);
    if (rc != 0)
        code = command_error(&cmd_status, &e);
    else
        code = o.total[STATE_DONE] == r->plan->units_count ? EXIT_OK : EXIT_UNFINISHED;
    unit_grid_free(&o.grid);
    free(o.owner);
    slurm_jobs_free(&o.jobs);
    node_measuring_free(&o.measuring);
    slurm_list_free(&o.queue);
    return code;
}

const struct command cmd_status = {
    .name = "status",
    .usage = "status [options] [RUN]",
    .summary = "how far a run is: units done, running, queued, lost",
    .about = "Reads the run directory and asks Slurm once, if the run uses it. Changes\n"
             "nothing, works while the controller is down (it says so), and on every machine\n"
             "that sees the run directory. On a terminal it also shows each unit: submissions\n"
             "x tiers.\n",
    .more = "exit status: 0 every unit has a result, 3 not yet, 2 no such run\n",
    .bit = on_status,
    .runs = RUNS_OF_ALL,
    .most = 1,
    .with_run = run,
};
