/*
 * proctor - runs units on this machine and writes what it found into the run directory.
 *
 *   proctor --run RUN --unit ID [--attempt TAG] [--turns N] [--no-wait]
 *   proctor --run RUN --batch FILE --element I
 *   proctor --run RUN --unit ID --case N [--launch RxT] [--repeat N] [--before] [--fill] [--cause
 * C]
 *           --output FILE                                                        (replay)
 *   proctor --run RUN --unit ID --size S [--values V] [--seed N] ...                   (the same)
 *   ... --output DIR --answers NUMBER     (only the right answers, for values of that number)
 *   proctor --serve                            (on another node of a job: proctor/serve.h)
 *   proctor --exercise ASSIGNMENT              (is it right? a line with tabs for each finding)
 *
 * Exit status: 0 every unit has a result, 75 infrastructure trouble (told in infra-*.json), 2 bad
 * usage or an unreadable run directory.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/inherited_files.h"
#include "base/inherited_limits.h"
#include "base/parse.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "measure/answers_files.h"
#include "measure/exercise_check.h"
#include "proctor/batch.h"
#include "proctor/cached_reference.h"
#include "proctor/node_context.h"
#include "proctor/node_policy.h"
#include "proctor/node_step.h"
#include "proctor/serve.h"
#include "proctor/unit.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"
#include "rundir/proctor_status.h"
#include "rundir/result_file.h"
#include "supervise/procfs.h"
#include "supervise/stop.h"

struct options {
    const char *run;
    const char *unit;
    const char *batch;
    long long element;
    const char *attempt;
    const char *output;
    long long turns;
    bool no_wait;            /* for other runs */
    struct given_case given; /* size NULL: the case is one of the assignment's */
    struct selection sel;
    bool answers; /* instead of a result */
    uint64_t values_number;
    uint64_t started; /* of this process: CLOCK_MONOTONIC ns */
};

static int complain(const struct err *e)
{
    fprintf(stderr, "paragrade proctor: %s\n", e->text);
    return PROCTOR_BAD_USAGE;
}

static int parse_launch(const char *text, struct launch *l, struct err *e)
{
    if (launch_parse(text, l))
        return 0;
    return err_input(e, "--launch: '%s' is not RANKSxTHREADS", text);
}

static int parse_number(const char *option, const char *text, long long *out, struct err *e)
{
    if (parse_int(text, 0, 1000000000, out, e) != 0)
        return err_context(e, "%s", option);
    return 0;
}

static int parse_options(int argc, char **argv, struct options *o, struct err *e)
{
    static const struct option options[] = {
        {"run", required_argument, NULL, 'r'},
        {"unit", required_argument, NULL, 'u'},
        {"batch", required_argument, NULL, 'b'},
        {"element", required_argument, NULL, 'e'},
        {"attempt", required_argument, NULL, 'a'},
        {"case", required_argument, NULL, 'c'},
        {"launch", required_argument, NULL, 'l'},
        {"repeat", required_argument, NULL, 'n'},
        {"output", required_argument, NULL, 'o'},
        {"turns", required_argument, NULL, 't'},
        {"size", required_argument, NULL, 's'},
        {"values", required_argument, NULL, 'v'},
        {"seed", required_argument, NULL, 'S'},
        {"before", no_argument, NULL, 'B'},
        {"fill", no_argument, NULL, 'F'},
        {"cause", required_argument, NULL, 'C'},
        {"no-wait", no_argument, NULL, 'w'},
        {"answers", required_argument, NULL, 'A'},
        {NULL, 0, NULL, 0},
    };
    *o = (struct options){
        .element = -1, .sel = {.case_index = -1, .repeat = 1}, .started = clock_mono_ns()};
    int opt, rc = 0;
    while (rc == 0 && (opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        long long n = 0;
        switch (opt) {
        case 'r':
            o->run = optarg;
            break;
        case 'u':
            o->unit = optarg;
            break;
        case 'b':
            o->batch = optarg;
            break;
        case 'e':
            rc = parse_number("--element", optarg, &o->element, e);
            break;
        case 'a':
            o->attempt = optarg;
            break;
        case 'c':
            rc = parse_number("--case", optarg, &n, e);
            o->sel.case_index = (int)n;
            break;
        case 'l':
            rc = parse_launch(optarg, &o->sel.launch, e);
            break;
        case 'n':
            rc = parse_number("--repeat", optarg, &n, e);
            o->sel.repeat = n > 0 ? (int)n : 1;
            break;
        case 's':
            o->given.size = optarg;
            break;
        case 'v':
            o->given.values = optarg;
            break;
        case 'S':
            rc = parse_u64(optarg, &o->given.seed, e);
            break;
        case 'o':
            o->output = optarg;
            break;
        case 'A':
            o->answers = true;
            rc = parse_u64(optarg, &o->values_number, e);
            break;
        case 'B':
            o->sel.before = true;
            break;
        case 'C':
            if (!cause_parse(optarg, &o->sel.cause))
                rc = err_input(e, "--cause: '%s' is none", optarg);
            break;
        case 'F':
            o->sel.fill = FILL_OTHERS;
            break;
        case 'w':
            o->no_wait = true;
            break;
        case 't':
            rc = parse_number("--turns", optarg, &o->turns, e);
            break;
        default:
            return err_input(e, "see the head of proctor/main.c for the options");
        }
    }
    if (rc != 0)
        return -1;
    if (!o->run || !o->unit == !o->batch || (o->batch && o->element < 0) ||
        ((o->sel.case_index >= 0 || o->given.size) && !o->output))
        return err_input(e, "wanted: --run RUN and either --unit ID or --batch FILE --element I");
    return 0;
}

/* In a job, the node's record comes before the unit. *postponed: it took so much of the job's time
 * that the unit needs another job. This happens to a unit once at most. */
static int prepare_node(struct node_context *n, const struct unit *u, const struct options *o,
                        bool *postponed, struct err *e)
{
    *postponed = false;
    int rc = o->batch ? node_step_take(n, u, e) : 0;
    if (rc != 1 || !node_step_too_late(n, u, o->started) ||
        attempt_failures(n->run.dir, u->id).postponed > 0)
        return rc < 0 ? -1 : 0;
    *postponed = true;
    return err_system(e,
                      "the record of node %s had to be measured first, and this job has too "
                      "little time left for the unit; the unit gets another job",
                      n->host);
}

/* The case of a replay that is none of the assignment's. */
static int add_given(struct node_context *n, const struct unit *u, const struct options *o,
                     struct selection *sel, struct err *e)
{
    *sel = o->sel;
    if (!o->given.size)
        return 0;
    sel->given = true;
    n->run.assignment->only.one_case = false; /* the run may have been limited to another one */
    sel->case_index = cases_add_given(&n->run.cases, n->run.assignment,
                                      &n->run.assignment->tiers[u->tier], &o->given, e);
    return sel->case_index < 0 ? -1 : 0;
}

/* An attempt at a unit. */
struct attempt {
    const char *tag;
    bool begun; /* its start is on record already */
};

/* Beside the result of a replay, which shows them. */
static int write_numbers(const char *numbers, const char *result, struct err *e)
{
    OWNED char *path = xasprintf("%s" REPLAY_NUMBERS, result);
    return fs_write_unsynced(path, numbers, strlen(numbers), e);
}

/* Run a unit and write what comes of it. *verdict, if there is a result. */
static int run_unit(struct node_context *n, const struct unit *u, const struct options *o,
                    const struct attempt *a, const char **verdict)
{
    struct err e = ERR_INIT;
    struct selection sel;
    if (add_given(n, u, o, &sel, &e) != 0)
        return complain(&e);
    if (o->answers) {
        struct harness *h =
            node_context_harness(n, &n->run.assignment->tiers[u->tier], HARNESS_CHECKS, &e);
        const struct test_case *c = &n->run.cases.item[sel.case_index];
        if (h && answers_files_write(h, c, o->values_number, o->output, &e) == 0)
            return 0;
        fprintf(stderr, "paragrade proctor: %s\n", e.text);
        return PROCTOR_INFRASTRUCTURE;
    }
    OWNED char *result = o->output ? xstrdup(o->output) : rundir_result(n->run.dir, u->id);
    if ((!o->output && fs_exists(result)) || u->preset) {
        /* done by an earlier attempt, or nothing to do */
        return 0;
    }
    /* A replay is never repeated. It shows what happens. */
    struct unexplained_end d = {.before = o->output
                                              ? UNEXPLAINED_ENDS_RETRIED
                                              : attempt_failures(n->run.dir, u->id).unexplained};
    const struct attempt_start start = {.tag = a->tag, .host = n->host, .job = n->job};
    if (!o->output && !a->begun && attempt_begin(n->run.dir, u->id, &start, &e) < 0)
        fprintf(stderr, "paragrade proctor: %s\n", e.text);
    struct unit_result *r = NULL;
    bool postponed;
    other_nodes_failed(&n->others); /* of the unit before */
    int rc = prepare_node(n, u, o, &postponed, &e);
    if (rc == 0 && !o->output)
        r = cached_reference_find(n, u);
    const bool cached = r != NULL;
    if (rc == 0 && !cached)
        rc = unit_run(n, u, &sel, &d, &r, &e);
    node_context_end_orphans(n);
    if (rc == 0 && !o->output && !cached && !o->no_wait)
        cached_reference_keep(n, u, r);
    if (rc == 0 && o->output && r->numbers)
        rc = write_numbers(r->numbers, result, &e);
    if (rc == 0 && unit_result_publish(r, result, &e) < 0)
        rc = -1;
    if (rc == 0)
        *verdict = verdict_name(r->verdict);
    if (rc != 0) {
        fprintf(stderr, "paragrade proctor: %s: %s\n", u->id, e.text);
        const struct attempt_failure f = {.tag = a->tag,
                                          .reason = e.text,
                                          .host = n->host,
                                          .job = n->job,
                                          .node = other_nodes_failed(&n->others),
                                          .unexplained = d.now,
                                          .postponed = postponed};
        struct err why = ERR_INIT;
        /* Slurm knows better why it ends a job: the front end asks. */
        const bool slurm_knows = o->batch && proctor_stop;
        if (!o->output && !slurm_knows && attempt_fail(n->run.dir, u->id, &f, &why) != 0)
            fprintf(stderr, "paragrade proctor: %s\n", why.text);
    }
    unit_result_free(r);
    return rc == 0 ? 0 : PROCTOR_INFRASTRUCTURE;
}

static int run_one(struct node_context *n, const struct options *o)
{
    struct err e = ERR_INIT;
    int at = plan_unit(n->run.plan, o->unit);
    if (at < 0) {
        err_input(&e, "%s: the plan has no such unit", o->unit);
        return complain(&e);
    }
    const char *verdict;
    OWNED char *tag = o->attempt
                          ? xstrdup(o->attempt)
                          : xasprintf("%s-%llx", n->job, (unsigned long long)clock_mono_ns());
    const struct attempt a = {.tag = tag};
    return run_unit(n, &n->run.plan->units[at], o, &a, &verdict);
}

struct element {
    struct node_context *node;
    const struct options *options;
};

static int run_taken(void *arg, const struct unit *u, const char *tag, const char **verdict)
{
    const struct element *x = arg;
    const struct attempt a = {.tag = tag, .begun = true};
    return run_unit(x->node, u, x->options, &a, verdict);
}

static int run_element(struct node_context *n, const struct options *o)
{
    struct err e = ERR_INIT;
    struct element x = {n, o};
    const struct batch b = {.file = o->batch,
                            .task = (long)o->element,
                            .started = o->started,
                            .run = run_taken,
                            .arg = &x};
    int status = batch_run(n, &b, &e);
    if (*e.text)
        complain(&e);
    return status;
}

static int check_exercise(const char *path)
{
    struct assignment *a;
    struct exercise x;
    struct err e = ERR_INIT;
    if (assignment_load(path, &a, &e) != 0)
        return complain(&e);
    if (!a->kernel_file) {
        err_input(&e, "%s: the kernel %s is built in", path, a->kernel->name);
        assignment_free(a);
        return complain(&e);
    }
    int rc = exercise_open(&x, a, &e);
    if (rc == 0)
        rc = exercise_check(&x, &e);
    for (size_t i = 0; i < x.report.rows && rc == 0; i++)
        printf("%s\t%s\t%s\n", exercise_state_name(x.report.row[i].state),
               exercise_check_name(x.report.row[i].check), x.report.row[i].text);
    exercise_close(&x);
    assignment_free(a);
    node_context_end_orphans(NULL);
    if (rc != 0)
        complain(&e);
    return rc == 0 ? 0 : PROCTOR_INFRASTRUCTURE;
}

int main(int argc, char **argv)
{
    struct options o;
    struct err e = ERR_INIT;
    umask(077);
    inherited_files_keep();
    inherited_limits_raise();
    proc_default_path();
    /* All processes of the units stay below the proctor, and no process of the same user can read
     * the proctor's memory. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* a short sleep must be short: see driver_halt.c */
    prctl(PR_SET_DUMPABLE, 0);
    proctor_catch_signals();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* some parents leave it ignored; then exit statuses are lost */
    if (argc == 2 && strcmp(argv[1], "--serve") == 0)
        return serve();
    if (argc == 3 && strcmp(argv[1], "--exercise") == 0)
        return check_exercise(argv[2]);
    if (parse_options(argc, argv, &o, &e) != 0)
        return complain(&e);
    struct node_context n;
    int rc = node_context_open(&n, o.run, &e);
    if (rc != 0) {
        rc = complain(&e);
    } else {
        node_policy_set(&n);
        n.turns = (int)o.turns;
        n.timing_lock.offer_no_wait = o.turns > 0 || o.output;
        if (o.no_wait)
            timing_lock_only_own(&n.timing_lock);
        rc = o.batch ? run_element(&n, &o) : run_one(&n, &o);
    }
    node_context_close(&n);
    node_context_end_orphans(NULL);
    return rc;
}
