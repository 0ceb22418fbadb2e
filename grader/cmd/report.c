#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/locate.h"
#include "report/report.h"

struct report_args {
    const char *student;
    bool json;
    bool csv_only;
};

static int print(const struct report_args *a, const struct run *r, const struct results *res,
                 const struct scoreboard *b, struct err *e)
{
    if (a->json)
        return report_print_json(r, res, b, stdout, e);
    if (!a->student) {
        report_print_class(r, res, b, stdout);
        return 0;
    }
    for (unsigned i = 0; i < r->plan->submissions_count; i++) {
        if (strcmp(r->plan->submissions[i].id, a->student) == 0 ||
            strcmp(r->plan->submissions[i].name, a->student) == 0) {
            report_print_student(r, res, b, (int)i, stdout);
            return 0;
        }
    }
    return err_input(e, "the run has no submission '%s' (grades.csv lists them)", a->student);
}

static int report(const struct report_args *a, const struct run *r, struct err *e)
{
    struct results res;
    struct scoreboard b = {0};
    struct err why = ERR_INIT;
    if (results_collect(r, false, &res, &why) > 0)
        fprintf(stderr, "paragrade report: %s\n", why.text);
    score_run(r, &res, &b);
    int rc = report_write(r, &res, &b, e);
    if (rc == 0 && !a->csv_only)
        rc = print(a, r, &res, &b, e);
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
    struct run r;
    if (locate_run(argv[optind], &r, &e) != 0)
        return command_error(&cmd_report, &e);
    int rc = report(&a, &r, &e);
    run_close(&r);
    return rc == 0 ? EXIT_OK : command_error(&cmd_report, &e);
}

const struct command cmd_report = {
    .name = "report",
    .usage = "report [--student ID] [--json] [--csv-only] RUN",
    .summary = "score a run again from its results; write the CSV files, print the tables",
    .help = "  -s, --student ID   the view of one submission: failures, replay commands, speeds, "
            "points\n"
            "  --json             everything as one JSON document\n"
            "  --csv-only         write the CSV files, print nothing\n"
            "\n"
            "RUN is a run directory or the name of one under reports/. Units that have no result\n"
            "yet are left out. Nothing is run again.\n"
            "\n"
            "examples:\n"
            "  paragrade report reports/gemm-i32-20261121-101500\n"
            "  paragrade report --student alice gemm-i32-20261121-101500\n"
            "  paragrade report gemm-i32-20261121-101500 | cut -f1,2\n",
    .run = run,
};
