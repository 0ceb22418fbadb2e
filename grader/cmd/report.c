#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/text.h"
#include "rundir/find_submission.h"
#include "rundir/paths.h"

struct report_args {
    const char *student;
    const char *roofline; /* file of the picture */
    bool json;
    bool csv_only;
};

/* The student who gets this learns no directory of the instructor: a run elsewhere is named only.
 */
static void print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *b, int student)
{
    char *name = locate_run_name(r->dir);
    const bool elsewhere = name[strspn(name, "'")] == '/';
    report_print_student(r, res, b, student, elsewhere ? text_run_name(r) : name, stdout);
    free(name);
}

static int print(const struct report_args *a, const struct run *r, const struct results *res,
                 const struct scoreboard *b, struct err *e)
{
    const int student = a->student ? find_submission(r->plan, a->student, e) : -1;
    if (a->student && student < 0)
        return -1;
    if (a->roofline)
        return roofline_picture(r, res, b, student, a->roofline, e);
    if (a->json)
        return a->student ? report_print_student_json(r, res, b, student, stdout, e)
                          : report_print_json(r, res, b, stdout, e);
    if (a->student)
        print_student(r, res, b, student);
    else
        report_print_class(r, res, b, stdout);
    return 0;
}

/* Say which of the files with which times are compared are missing. Returns how many units cannot
 * be graded because of that. */
static unsigned tell_not_gradable(const struct run *r, const struct results *res,
                                  const struct scoreboard *b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!b->unit[i].not_gradable)
            continue;
        if (!results_node(res, u)) {
            char *path = rundir_node(r->dir, u->host, u->yardstick);
            term_print(stderr, 2, "paragrade report: %s: %s: %s\n", r->plan->units[i].id,
                       b->unit[i].not_gradable, path);
            free(path);
        }
        count++;
    }
    if (count)
        term_print(stderr, 2,
                   "paragrade report: the times of %u %s cannot be graded. They do not count, and "
                   "no points are lost. Put the missing files back, or grade again\n",
                   count, plural(count, "unit", "units"));
    return count;
}

/* *whole: all times could be graded. */
static int report(const struct report_args *a, const struct run *r, bool *whole, struct err *e)
{
    struct results res;
    struct scoreboard b = {0};
    struct err why = ERR_INIT;
    if (results_collect(r, false, &res, &why) > 0)
        term_print(stderr, 2, "paragrade report: %s\n", why.text);
    score_run(r, &res, &b);
    int rc = report_write(r, &res, &b, e);
    if (rc == 0 && !a->csv_only)
        rc = print(a, r, &res, &b, e);
    *whole = tell_not_gradable(r, &res, &b) == 0;
    scoreboard_free(&b);
    results_free(&res);
    return rc;
}

static int take(void *with, int option, char *value, struct err *e)
{
    struct report_args *a = with;
    (void)e;
    if (option == 's')
        a->student = value;
    else if (option == 'r')
        a->roofline = value;
    else if (option == 'j')
        a->json = true;
    else
        a->csv_only = true;
    return 0;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"student", required_argument, NULL, 's'},
        {"roofline", required_argument, NULL, 'r'},
        {"json", no_argument, NULL, 'j'},
        {"csv-only", no_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };
    struct report_args a = {0};
    struct err e = ERR_INIT;
    const struct command_options o = {options, "s:", take, &a};
    const int status = command_options(&cmd_report, &o, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    if (argc - optind != 1)
        return command_usage(&cmd_report, "wanted: one run");
    if (a.csv_only && (a.student || a.json))
        return command_usage(&cmd_report,
                             "--csv-only prints nothing: not with --student or --json");
    if (a.roofline && (a.csv_only || a.json))
        return command_usage(&cmd_report,
                             "--roofline prints nothing: not with --csv-only or --json");
    struct run r;
    if (locate_run(argv[optind], &r, &e) != 0)
        return command_error(&cmd_report, &e);
    bool whole = true;
    int rc = report(&a, &r, &whole, &e);
    run_close(&r);
    if (rc != 0)
        return command_error(&cmd_report, &e);
    return whole ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_report = {
    .name = "report",
    .usage = "report [--student ID] [--json | --csv-only | --roofline FILE] RUN",
    .summary = "score a run again from its results; write the CSV files, print the tables",
    .help = "  -s, --student ID   the view of one submission: failures, replay commands,\n"
            "                       speeds, points; ID is its id, its directory, or the\n"
            "                       student's name\n"
            "  --json             the same as one JSON document\n"
            "  --csv-only         write the CSV files, print nothing\n"
            "  --roofline FILE    draw the roofline as SVG, print nothing; with --student of\n"
            "                       one submission. Needs gnuplot\n"
            "\n"
            "RUN is a run directory or the name of one under reports/. Units that have no\n"
            "result yet are left out. Nothing is run again.\n"
            "\n"
            "exit status: 0 written, 1 some times cannot be graded, because the record of a\n"
            "node or a result of the reference is missing, 2 bad arguments or no such run\n"
            "\n"
            "examples:\n"
            "  paragrade report reports/gemm-i32-20261121-101500\n"
            "  paragrade report --student alice gemm-i32-20261121-101500\n"
            "  paragrade report gemm-i32-20261121-101500 | cut -f1,2\n"
            "  paragrade report --roofline roofline.svg gemm-i32-20261121-101500\n",
    .run = run,
};
