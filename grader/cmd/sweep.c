#include <getopt.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/run_options.h"

static int take(void *with, int option, char *value, struct err *e)
{
    if (option != 's')
        return run_options_take(with, option, value, e);
    run_options_add_name(with, value);
    return 0;
}

static int sweep(struct run_request *r, char *const *dirs, size_t count)
{
    struct err e = ERR_INIT;
    int status;
    if (!count == !r->reference_only)
        return command_usage(&cmd_sweep, "give the directories of submissions, or --reference");
    if (execute_options_check(&r->execute, &e) != 0)
        return command_usage(&cmd_sweep, "%s", e.text);
    r->plan.sweep = true;
    r->plan.with_reference = r->reference_only;
    return run_options_run(r, dirs, count, &status, &e) == 0 ? status
                                                             : command_error(&cmd_sweep, &e);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"sweep", required_argument, NULL, 's'},
        RUN_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct run_request r;
    const struct command_options o = {options, RUN_OPTIONS_LETTERS "s:", take, &r};
    run_options_init(&r);
    int status = command_options(&cmd_sweep, &o, argc, argv);
    if (status == COMMAND_GO_ON)
        status = sweep(&r, argv + optind, (size_t)(argc - optind));
    run_options_free(&r);
    return status;
}

const struct command cmd_sweep = {
    .name = "sweep",
    .usage = "sweep [options] DIR... | sweep [options] --reference",
    .summary = "measure a tier over its parameters: tile, unroll, threads, ranks ...",
    .help = "The assignment lists sweeps: a tier, macros of its source with their values,\n"
            "thread and rank counts, sizes. Every combination is built once and checked;\n"
            "those that are right are measured in turns, so that what disturbs the node\n"
            "disturbs all of them. Writes sweep.csv, prints a table with the best of each\n"
            "size marked, and names it.\n"
            "\n"
            "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the\n"
            "                        only one in testcases/, or the installed one)\n"
            "  -s, --sweep S       only this sweep; may be repeated\n"
            "  -p, --profile P     a smaller or larger set of cases that the assignment\n"
            "                        defines\n"
            "  --run-id ID         name of the run (default: assignment and time)\n"
            "  --reports DIR       where runs go (default: reports)\n"
            "  --reference         the reference instead of submissions\n" EXECUTE_OPTIONS_HELP "\n"
            "examples:\n"
            "  paragrade sweep --sweep threads student_impls/alice\n"
            "  paragrade sweep -a testcases/gpu/ladder.yaml --sweep tile --reference\n"
            "\n"
            "exit status: 0 measured (whatever the verdicts), 1 units without a verdict or a\n"
            "failing reference, 2 bad input, 3 interrupted\n",
    .run = run,
};
