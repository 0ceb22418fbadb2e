#include <stdio.h>
#include <stdlib.h>

#include "base/plural.h"
#include "cmd/options.h"
#include "cmd/run_operand.h"
#include "cmd/scored_run.h"

static int run(int argc, char **argv)
{
    struct options o = {0};
    struct err e = ERR_INIT;
    const int status = options_read(&cmd_collect, &o, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    char *name;
    const int found = run_operand(&cmd_collect, argc, argv, RUNS_OF_REPORTS, &name);
    if (found != COMMAND_GO_ON)
        return found;
    struct scored_run x;
    const int rc = scored_run_open(&cmd_collect, name, true, &x, &e);
    free(name);
    if (rc != 0)
        return command_error(&cmd_collect, &e);
    const unsigned total = x.results.unit_count;
    unsigned known = 0;
    for (unsigned i = 0; i < total; i++)
        known += x.results.unit[i] != NULL;
    const bool done = x.written && known == total;
    scored_run_close(&x);
    printf("%u of %u %s a result\n", known, total, plural(total, "unit has", "units have"));
    return done ? EXIT_OK : EXIT_UNFINISHED;
}

const struct command cmd_collect = {
    .name = "collect",
    .usage = "collect [RUN]",
    .summary = "write the CSV files from the results that are there so far",
    .about = "RUN is a run directory or the name of one under reports/. Starts nothing,\n"
             "asks the cluster nothing and moves nothing. Exit status 3 while units have no\n"
             "result yet, 1 when a result cannot be opened or read: then nothing is written.\n"
             "While another process is working on the run, nothing is written either, and the\n"
             "exit status is 3.\n"
             "\n"
             "example:\n"
             "  paragrade collect gemm-i32-20261121-101500\n"
             "  cut -d, -f1-3 reports/gemm-i32-20261121-101500/units.csv\n",
    .bit = on_collect,
    .run = run,
};
