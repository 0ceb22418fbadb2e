/*
 * nightly: grade the reference on the nodes, add its times to the history, and say what got slower.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "cmd/nightly_jobs.h"
#include "cmd/nightly_runs.h"
#include "cmd/pipeline.h"
#include "cmd/site_files.h"
#include "execute/stop.h"
#include "history/add.h"
#include "history/news_text.h"
#include "plan/planner.h"

enum { DEFAULT_KEEP_DAYS = 30 };
static const double DEFAULT_FALSE_ALARMS = 0.1, DEFAULT_LEAST = 0.03;

/* What getopt_long returns for the options without a short form. */
enum {
    OPTION_HISTORY = 1500,
    OPTION_ADD,
    OPTION_LOOK,
    OPTION_FALSE_ALARMS,
    OPTION_LEAST,
    OPTION_PROMETHEUS,
    OPTION_KEEP,
    OPTION_REPORTS,
    OPTION_JSON,
};

struct request {
    struct nightly_jobs_request jobs;
    const char *history, *prometheus, *reports;
    bool add, look, verbose, json;
    struct panel_rules rules;
    long keep;
    char *assignment; /* found because the command line names none; owned */
};

static int take_share(const char *value, const char *option, double most, double *out,
                      struct err *e)
{
    return parse_double(value, 1e-6, most, out, e) == 0 ? 0 : err_context(e, "%s", option);
}

static int take(void *with, int option, char *value, struct err *e)
{
    struct request *r = with;
    long long days;
    switch (option) {
    case 'a':
        r->jobs.assignment = value;
        return 0;
    case 'p':
        r->jobs.profile = value;
        return 0;
    case 'v':
        r->verbose = true;
        return 0;
    case OPTION_JSON:
        r->json = true;
        return 0;
    case OPTION_HISTORY:
        r->history = value;
        return *value ? 0 : err_input(e, "--history needs the name of a file");
    case OPTION_REPORTS:
        r->reports = value;
        return 0;
    case OPTION_ADD:
        r->add = true;
        return 0;
    case OPTION_LOOK:
        r->look = true;
        return 0;
    case OPTION_PROMETHEUS:
        r->prometheus = value;
        return 0;
    case OPTION_FALSE_ALARMS:
        return take_share(value, "--false-alarms", 1000, &r->rules.false_alarms, e);
    case OPTION_LEAST: /* percent */
        if (take_share(value, "--least", 1000, &r->rules.least, e) != 0)
            return -1;
        r->rules.least /= 100;
        return 0;
    case OPTION_KEEP:
        if (parse_int(value, 1, 36500, &days, e) != 0)
            return err_context(e, "--keep");
        r->keep = (long)days;
        return 0;
    default:
        return nightly_jobs_take(&r->jobs, option, value, e);
    }
}

/* --- grading ---------------------------------------------------------------------------------- */

/* The host's name, as a name of a run. */
static char *host_name(void)
{
    char host[128] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        snprintf(host, sizeof host, "localhost");
    host[strcspn(host, ".")] = '\0';
    return xstrdup(host);
}

/* Grade the reference on this machine. */
static int grade_here(const struct request *r, const char *night, struct err *e)
{
    struct execute_options o = {.wait = true, .jobs = 1, .quiet = !r->verbose};
    struct pipeline_outcome outcome;
    char *dir = NULL, *host = host_name();
    const struct plan_request plan = {.assignment = r->jobs.assignment,
                                      .profile = r->jobs.profile,
                                      .with_reference = true,
                                      .here = true,
                                      .reports_dir = night,
                                      .run_id = host};
    int rc = site_files_read(&o.site, e);
    if (rc == 0)
        rc = plan_create(&plan, &dir, e);
    if (rc == 0)
        rc = pipeline_run(dir, &o, VIEW_NONE, &outcome, e);
    if (rc == 0 && outcome.busy)
        rc = -1;
    site_free(&o.site);
    free(dir);
    free(host);
    return rc;
}

static int grade(struct request *r, const char *night, struct store *s, struct strbuf *failures,
                 struct err *e)
{
    if (!r->jobs.assignment) {
        if (locate_assignment(&r->assignment, e) != 0)
            return -1;
        r->jobs.assignment = r->assignment;
    }
    r->jobs.verbose = r->verbose;
    return r->jobs.slurm ? nightly_jobs_run(&r->jobs, night, s, failures, e)
                         : grade_here(r, night, e);
}

static int add_runs(struct store *s, char *const *names, size_t count, struct err *e)
{
    for (size_t i = 0; i < count; i++) {
        struct run r;
        if (locate_run(names[i], &r, e) != 0)
            return -1;
        const int rc = nightly_add(s, &r, e);
        run_close(&r);
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* --- saying ----------------------------------------------------------------------------------- */

static void print_text(const struct request *r, const struct news *n, const struct strbuf *failures)
{
    news_print(n, r->look, stdout);
    if (failures->len)
        printf("%s\n", failures->s);
    if (r->look || r->verbose || news_alarms(n) || failures->len)
        news_print_summary(n, stdout);
}

/* Print what there is to say, and remember that it was said. *alarms: new slowdowns. */
static int say(const struct request *r, struct store *s, const struct strbuf *failures,
               size_t *alarms, struct err *e)
{
    struct news n;
    if (news_load(s, &r->rules, &n, e) != 0)
        return -1;
    int rc = 0;
    *alarms = news_alarms(&n);
    if (r->json)
        rc = news_print_json(&n, r->look, failures->s, stdout, e);
    else
        print_text(r, &n, failures);
    if (r->prometheus && rc == 0)
        rc = news_write_metrics(&n, r->prometheus, e);
    if (fflush(stdout) != 0 && rc == 0)
        rc = err_system(e, "standard output cannot be written");
    if (rc == 0 && !r->look)
        rc = news_mark(s, &n, e);
    news_free(&n);
    return rc;
}

static int check(const struct request *r, size_t operands, struct err *e)
{
    if (r->add + r->look + r->jobs.slurm > 1)
        return err_input(e, "--add, --look and the options of Slurm cannot be combined");
    if (r->add && !operands)
        return err_input(e, "--add needs the runs that are to be added");
    if (!r->add && operands)
        return err_input(e, "runs are named with --add only");
    return nightly_jobs_check(&r->jobs, e);
}

/* All of it, with an open history. */
static int work(struct request *r, struct store *s, char *const *runs, size_t count, size_t *alarms,
                struct strbuf *failures, struct err *e)
{
    char *night = r->add || r->look ? NULL : nightly_new(r->reports);
    size_t added = 0;
    int rc = 0;
    if (r->add)
        rc = add_runs(s, runs, count, e);
    else if (night)
        rc = grade(r, night, s, failures, e);
    if (rc == 0 && night && !execute_stop)
        rc = nightly_add_all(s, r->reports, night, failures, &added, e);
    if (night && !execute_stop) /* also after an error: the disk may be full */
        nightly_prune(r->reports, r->keep, failures);
    if (rc == 0 && !execute_stop)
        rc = say(r, s, failures, alarms, e);
    free(night);
    return rc;
}

static int nightly(struct request *r, char *const *runs, size_t count)
{
    struct err e = ERR_INIT;
    struct store s;
    struct strbuf failures = STRBUF_INIT;
    size_t alarms = 0;
    char *named = NULL;
    if (check(r, count, &e) != 0)
        return command_usage(&cmd_nightly, "%s", e.text);
    if (!r->history)
        r->history = history_configured();
    if (!r->history)
        r->history = named = xasprintf("%s/history.sqlite", r->reports);
    int rc = r->history == named && !r->look ? fs_mkdirs(r->reports, &e) : 0;
    if (rc == 0)
        rc = store_open(&s, r->history, !r->look, &e);
    if (rc == 0) {
        rc = work(r, &s, runs, count, &alarms, &failures, &e);
        store_close(&s);
    }
    const bool bad = alarms || failures.len;
    free(named);
    strbuf_free(&failures);
    if (rc != 0)
        return command_error(&cmd_nightly, &e);
    if (execute_stop) {
        term_print(stderr, 2,
                   "paragrade nightly: stopped. What was measured so far is added by the "
                   "next call\n");
        return EXIT_UNFINISHED;
    }
    return bad ? EXIT_FAILURES : EXIT_OK;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"assignment", required_argument, NULL, 'a'},
        {"profile", required_argument, NULL, 'p'},
        {"reports", required_argument, NULL, OPTION_REPORTS},
        {"history", required_argument, NULL, OPTION_HISTORY},
        {"add", no_argument, NULL, OPTION_ADD},
        {"look", no_argument, NULL, OPTION_LOOK},
        {"false-alarms", required_argument, NULL, OPTION_FALSE_ALARMS},
        {"least", required_argument, NULL, OPTION_LEAST},
        {"prometheus", required_argument, NULL, OPTION_PROMETHEUS},
        {"keep", required_argument, NULL, OPTION_KEEP},
        {"verbose", no_argument, NULL, 'v'},
        {"json", no_argument, NULL, OPTION_JSON},
        NIGHTLY_JOBS_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct request r = {.reports = "reports",
                        .rules = {DEFAULT_FALSE_ALARMS, DEFAULT_LEAST},
                        .keep = DEFAULT_KEEP_DAYS};
    const struct command_options o = {options, "a:p:v", take, &r};
    nightly_jobs_init(&r.jobs);
    int status = command_options(&cmd_nightly, &o, argc, argv);
    if (status == COMMAND_GO_ON)
        status = nightly(&r, argv + optind, (size_t)(argc - optind));
    free(r.assignment);
    return status;
}

const struct command cmd_nightly = {
    .name = "nightly",
    .usage = "nightly [options] | nightly --add RUN... | nightly --look",
    .summary = "grade the reference on every node; say which node or tier got slower",
    .help =
        "Grades the reference on this machine, or with --slurm on every node of a\n"
        "partition. Adds its times to the history, an SQLite file. Compares each time\n"
        "with the node's own past and with nodes with the same processor. Prints a\n"
        "short text when something became slower, and nothing when all is well, so\n"
        "that cron sends a mail only then. Each slowdown is reported once.\n"
        "\n"
        "  -a, --assignment F  the assignment (default: as in grade)\n"
        "  -p, --profile P     a smaller or larger set of cases\n"
        "  --history F         the history (default: $PARAGRADE_HISTORY, or else\n"
        "                        history.sqlite in the reports)\n"
        "  --reports DIR       runs go to DIR/nightly/ (default: reports)\n"
        "  --keep DAYS         remove older runs there (default 30); their times stay\n"
        "                        in the history\n"
        "  --prometheus F      write a textfile for the node exporter of Prometheus\n"
        "  --false-alarms X    false alarms in 30 days, all nodes together (default\n"
        "                        0.1). With more of them, slowdowns are found sooner\n"
        "  --least PERCENT     pass over smaller changes (default 3)\n"
        "  -v, --verbose       progress, and a summary when all is well\n"
        "  --json              print one JSON document, also when all is well\n"
        "  --add               grade nothing: add these runs, then look for changes\n"
        "  --look              grade nothing: print every change in the history\n" NIGHTLY_JOBS_HELP
        "\n"
        "examples:\n"
        "  paragrade nightly -a testcases/gemm-i32.yaml -p quick\n"
        "  paragrade nightly -a testcases/gemm-i32.yaml -p quick --partition cpu\n"
        "  paragrade nightly --look\n"
        "\n"
        "exit status: 0 nothing new, 1 something got slower, the reference or a job\n"
        "failed, or a run cannot be read or removed, 2 bad input, 3 interrupted\n",
    .run = run,
};
