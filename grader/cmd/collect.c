#include <getopt.h>
#include <stdio.h>

#include "base/plural.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "cmd/read_results.h"
#include "report/report.h"

static int collect(const struct run *r, unsigned *known, struct err *e)
{
    struct results res;
    struct scoreboard b = {0};
    if (read_results(&cmd_collect, r, &res, e) != 0) {
        results_free(&res);
        return -1;
    }
    results_end(r, &res);
    score_run(r, &res, &b);
    int rc = report_write(r, &res, &b, NULL, e);
    *known = 0;
    for (unsigned i = 0; i < res.unit_count; i++)
        *known += res.unit[i] != NULL;
    scoreboard_free(&b);
    results_free(&res);
    return rc;
}

static int run(int argc, char **argv)
{
    const struct command_options none = {0};
    struct err e = ERR_INIT;
    const int status = command_options(&cmd_collect, &none, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    if (argc - optind != 1)
        return command_needs_run(&cmd_collect);
    struct run r;
    if (locate_run(argv[optind], &r, &e) != 0)
        return command_error(&cmd_collect, &e);
    unsigned known = 0, total = r.plan->units_count;
    int rc = collect(&r, &known, &e);
    run_close(&r);
    if (rc != 0)
        return command_error(&cmd_collect, &e);
    printf("%u of %u %s a result\n", known, total, plural(total, "unit has", "units have"));
    return known == total ? EXIT_OK : EXIT_UNFINISHED;
}

const struct command cmd_collect = {
    .name = "collect",
    .usage = "collect RUN",
    .summary = "write the CSV files from the results that are there so far",
    .help = "RUN is a run directory or the name of one under reports/. Starts nothing,\n"
            "asks the cluster nothing and moves nothing. Exit status 3 while units have no\n"
            "result yet, 1 when a result cannot be opened or read: then nothing is written.\n"
            "\n"
            "example:\n"
            "  paragrade collect gemm-i32-20261121-101500\n"
            "  cut -d, -f1-3 reports/gemm-i32-20261121-101500/units.csv\n",
    .run = run,
};
