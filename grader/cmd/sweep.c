#include <getopt.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/run_options.h"

static int run_sweep(int argc, char **argv)
{
    static const struct option options[] = {
        {"sweep", required_argument, NULL, 's'},
        RUN_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct run_options n;
    struct err e = ERR_INIT;
    int opt, status = -1;
    run_options_init(&n);
    n.plan.sweep = true;
    while (status < 0 &&
           (opt = getopt_long(argc, argv, RUN_OPTIONS_LETTERS "s:", options, NULL)) != -1) {
        int rc = opt == '?' ? 1 : 0;
        if (opt == 's')
            run_options_choose(&n, optarg);
        else if (rc == 0)
            rc = run_options_take(&n, opt, optarg, &e);
        if (rc < 0)
            status = command_error(&cmd_sweep, &e);
        else if (rc > 0)
            status = command_bad_option(&cmd_sweep, argv, options);
    }
    n.plan.paths = argv + optind;
    n.plan.paths_count = (size_t)(argc - optind);
    n.plan.with_reference = n.reference_only;
    if (status < 0 && !n.plan.paths_count == !n.reference_only)
        status = command_usage(&cmd_sweep, "give the directories of submissions, or --reference");
    if (status < 0 && execute_args_check(&n.run, &e) != 0)
        status = command_usage(&cmd_sweep, "%s", e.text);
    if (status < 0 && run_options_drive(&n, &status, &e) != 0)
        status = command_error(&cmd_sweep, &e);
    run_options_free(&n);
    return status;
}

const struct command cmd_sweep = {
    .name = "sweep",
    .usage = "sweep [options] DIR... | sweep [options] --reference",
    .summary = "measure a tier over its parameters: tile, unroll, threads, ranks ...",
    .help =
        "The assignment lists sweeps: a tier, macros of its source with their values, thread and\n"
        "rank counts, sizes. Every combination is built once and checked; those that are right\n"
        "are measured in turns, so that what disturbs the node disturbs all of them. Writes\n"
        "sweep.csv, prints a table with the best of each size marked, and names it.\n\n"
        "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the only one in\n"
        "                        testcases/)\n"
        "  -s, --sweep S       only this sweep; may be repeated\n"
        "  -p, --profile P     a smaller or larger set of cases that the assignment defines\n"
        "  --run-id ID         name of the run (default: assignment and time)\n"
        "  --reports DIR       where runs go (default: reports)\n"
        "  --reference         the reference instead of submissions\n" EXECUTE_ARG_HELP
        "\nexamples:\n"
        "  paragrade sweep --sweep threads student_impls/alice\n"
        "  paragrade sweep -a testcases/gpu/ladder.yaml --sweep tile --reference\n"
        "\nexit status: 0 measured (whatever the verdicts), 1 units without a verdict or a "
        "failing\n"
        "reference, 2 bad input, 3 interrupted\n",
    .run = run_sweep,
};
