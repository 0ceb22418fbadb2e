/*
 * nightly: grade the reference on the nodes, add its times to the history, and say what got slower.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/nightly_jobs.h"
#include "cmd/nightly_page.h"
#include "cmd/nightly_runs.h"
#include "cmd/options.h"
#include "cmd/output_file.h"
#include "cmd/pipeline.h"
#include "cmd/site_files.h"
#include "execute/stop.h"
#include "history/add.h"
#include "history/news_text.h"
#include "history/nodes.h"
#include "plan/planner.h"

struct request {
    const struct options *given;
    const char *history, *assignment;
    struct panel_rules rules;
};

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

/* Who has set a partition may expect that its nodes are graded. A mail of cron has other readers.
 */
static void note_local(const struct site *s, bool verbose)
{
    const char *word = site_slurm_word_from(s);
    if (word && (verbose || isatty(STDERR_FILENO)))
        term_print(stderr, 2,
                   "only this machine is graded: %s says how Slurm is asked, and --slurm was not "
                   "given\n",
                   word);
}

/* Grade the reference on this machine. */
static int grade_here(const struct request *r, const char *night, struct err *e)
{
    struct execute_options o = {.wait = true, .jobs = 1, .quiet = !r->given->verbose};
    struct pipeline_outcome outcome;
    OWNED char *dir = NULL, *host = host_name();
    const struct plan_request plan = {.assignment = r->assignment,
                                      .profile = r->given->profile,
                                      .tiers = r->given->tiers.item,
                                      .tiers_count = r->given->tiers.count,
                                      .with_reference = true,
                                      .here = true,
                                      .reports_dir = night,
                                      .run_id = host};
    int rc = site_files_read(&o.site, e);
    if (rc == 0)
        note_local(&o.site, r->given->verbose);
    if (rc == 0)
        rc = plan_create(&plan, &dir, e);
    if (rc == 0)
        rc = pipeline_run(dir, &o, VIEW_NONE, &outcome, e);
    if (rc == 0 && outcome.busy)
        rc = -1;
    site_free(&o.site);
    return rc;
}

static int grade(struct request *r, const char *night, struct store *s, struct strbuf *failures,
                 struct err *e)
{
    OWNED char *found = NULL;
    if (!r->assignment && locate_assignment(&found, e) != 0)
        return -1;
    if (found)
        r->assignment = found;
    return r->given->where == WHERE_SLURM
               ? nightly_jobs_run(r->given, r->assignment, night, s, failures, e)
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
    if (r->given->look) {
        term_table_show(nodes_table(n, false), stdout);
        if (n->view.panel.nodes)
            putchar('\n');
    }
    if (term_is_tsv()) {
        term_table_print(changes_table(n), stdout);
        return;
    }
    news_print(n, r->given->look, stdout);
    if (failures->len)
        printf("%s\n", failures->s);
    if (r->given->look || r->given->verbose || news_alarms(n) || failures->len)
        news_print_summary(n, stdout);
}

/* Print what there is to say, and remember that it was said. *alarms: new slowdowns. */
static int say(const struct request *r, struct store *s, const struct strbuf *failures,
               size_t *alarms, struct err *e)
{
    FREED_BY(news_free) struct news n = {0};
    if (news_load(s, &r->rules, &n, e) != 0)
        return -1;
    int rc = 0;
    *alarms = news_alarms(&n);
    if (r->given->json)
        rc = news_print_json(&n, r->given->look, failures->s, stdout, e);
    else
        print_text(r, &n, failures);
    if (r->given->prometheus && rc == 0)
        rc = news_write_metrics(&n, r->given->prometheus, e);
    if (r->given->page && rc == 0)
        rc = nightly_page_write(&n, r->given->page, e);
    if (fflush(stdout) != 0 && rc == 0)
        rc = err_system(e, "standard output cannot be written");
    if (rc == 0 && !r->given->look)
        rc = news_mark(s, &n, e);
    return rc;
}

/* What cannot be combined. */
static int combined(const struct options *o, struct err *e)
{
    if (o->add + o->look + (o->where == WHERE_SLURM) > 1)
        return err_input(e, "--add, --look and the options of Slurm cannot be combined");
    if (o->add && !o->operands)
        return err_input(e, "--add needs the runs that are to be added");
    if (!o->add && o->operands)
        return err_input(e, "runs are named with --add only");
    if (o->tsv && !o->look)
        return err_input(e, "--tsv prints tables: add --look");
    if (o->page && output_is_stdout(o->page))
        return err_input(e, "--page needs the name of a file");
    if (o->page && output_check(o->page, e) != 0)
        return -1;
    return nightly_jobs_check(o, e);
}

static int check(const struct options *o)
{
    struct err e = ERR_INIT;
    if (o->history && !*o->history) {
        err_input(&e, "--history needs the name of a file");
        return command_error(&cmd_nightly, &e);
    }
    return combined(o, &e) == 0 ? COMMAND_GO_ON : command_usage(&cmd_nightly, "%s", e.text);
}

/* All of it, with an open history. */
static int work(struct request *r, struct store *s, size_t *alarms, struct strbuf *failures,
                struct err *e)
{
    OWNED char *night = r->given->add || r->given->look ? NULL : nightly_new(r->given->reports);
    size_t added = 0;
    int rc = 0;
    if (r->given->add)
        rc = add_runs(s, r->given->operand, r->given->operands, e);
    else if (night)
        rc = grade(r, night, s, failures, e);
    if (rc == 0 && night && !execute_stop)
        rc = nightly_add_all(s, r->given->reports, night, failures, &added, e);
    if (night && !execute_stop) /* also after an error: the disk may be full */
        nightly_prune(r->given->reports, (long)r->given->keep, failures);
    if (rc == 0 && !execute_stop)
        rc = say(r, s, failures, alarms, e);
    return rc;
}

static int run(const struct options *o)
{
    struct request request = {.given = o,
                              .history = o->history,
                              .assignment = o->assignment,
                              .rules = {o->false_alarms, o->least_percent / 100}},
                   *r = &request;
    struct err e = ERR_INIT;
    struct store s;
    FREED_BY(strbuf_free) struct strbuf failures = STRBUF_INIT;
    size_t alarms = 0;
    OWNED char *named = NULL;
    if (!r->history)
        r->history = site_history();
    if (!r->history)
        r->history = named = xasprintf("%s/history.sqlite", r->given->reports);
    int rc = r->history == named && !r->given->look ? fs_mkdirs(r->given->reports, &e) : 0;
    if (rc == 0)
        rc = store_open(&s, r->history, !r->given->look, &e);
    if (rc == 0) {
        rc = work(r, &s, &alarms, &failures, &e);
        store_close(&s);
    }
    const bool bad = alarms || failures.len;
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

const struct command cmd_nightly = {
    .name = "nightly",
    .usage = "nightly [options] | nightly --add RUN... | nightly --look",
    .summary = "grade the reference on every node; say what got slower",
    .about = "Grades the reference on this machine, or with --slurm on every node of a\n"
             "partition. Adds its times to the history, an SQLite file. Compares each time\n"
             "with the node's own past and with nodes with the same processor. Prints a\n"
             "short text when something became slower, and nothing when all is well, so\n"
             "that cron sends a mail only then. Each slowdown is reported once.\n",
    .more = "examples:\n"
            "  paragrade nightly -a testcases/gemm-i32.yaml -p quick\n"
            "  paragrade nightly -a testcases/gemm-i32.yaml -p quick --partition cpu -t mpi\n"
            "  paragrade nightly --look --page nodes.html\n"
            "\n"
            "--look prints for each node, as medians of its times:\n"
            "\n"
            "  level       how much slower it is than the other nodes with this processor\n"
            "  noise       how far its nights are from its own level\n"
            "  last night  how much slower than its own level that was\n"
            "  nights      since its last change\n"
            "  verdict     when it is judged for the first time, which takes 12 nights\n"
            "\n"
            "exit status: 0 nothing new, 1 something got slower, the reference or a job\n"
            "failed, or a run cannot be read or removed, 2 bad input, 3 interrupted\n",
    .bit = on_nightly,
    .most = OPERANDS_MANY,
    .check = check,
    .run = run,
};
